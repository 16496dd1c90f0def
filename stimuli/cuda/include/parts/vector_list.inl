// Lists the vectors of one to four elements: FERMATA_VECTOR(name, element, alignment of two,
// alignment of four). The includer defines the macro; its definition ends here.
FERMATA_VECTOR(char, signed char, 2, 4)
FERMATA_VECTOR(uchar, unsigned char, 2, 4)
FERMATA_VECTOR(short, short, 4, 8)
FERMATA_VECTOR(ushort, unsigned short, 4, 8)
FERMATA_VECTOR(int, int, 8, 16)
FERMATA_VECTOR(uint, unsigned int, 8, 16)
FERMATA_VECTOR(long, long int, 16, 16)
FERMATA_VECTOR(ulong, unsigned long int, 16, 16)
FERMATA_VECTOR(longlong, long long int, 16, 16)
FERMATA_VECTOR(ulonglong, unsigned long long int, 16, 16)
FERMATA_VECTOR(float, float, 8, 16)
FERMATA_VECTOR(double, double, 16, 16)
#undef FERMATA_VECTOR
