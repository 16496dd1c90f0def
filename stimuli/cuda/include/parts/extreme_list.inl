// Lists the integer types that min and max take, beside two of int: FERMATA_EXTREMES(first, second,
// common type). Mixed signs compare as unsigned, like the language. The includer defines the macro;
// its definition ends here.
FERMATA_EXTREMES(unsigned, unsigned, unsigned)
FERMATA_EXTREMES(int, unsigned, unsigned)
FERMATA_EXTREMES(unsigned, int, unsigned)
FERMATA_EXTREMES(long, long, long)
FERMATA_EXTREMES(unsigned long, unsigned long, unsigned long)
FERMATA_EXTREMES(long, unsigned long, unsigned long)
FERMATA_EXTREMES(unsigned long, long, unsigned long)
FERMATA_EXTREMES(long long, long long, long long)
FERMATA_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
FERMATA_EXTREMES(long long, unsigned long long, unsigned long long)
FERMATA_EXTREMES(unsigned long long, long long, unsigned long long)
#undef FERMATA_EXTREMES
