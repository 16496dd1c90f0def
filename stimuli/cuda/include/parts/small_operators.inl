// Operators of FERMATA_NUMBER and FERMATA_PAIR. Read once for each type.

FERMATA_BOTH FERMATA_NUMBER operator+(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hadd(a, b);
}
FERMATA_BOTH FERMATA_NUMBER& operator+=(FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return a = __hadd(a, b);
}
FERMATA_BOTH FERMATA_PAIR operator+(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hadd2(a, b);
}
FERMATA_BOTH FERMATA_PAIR& operator+=(FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return a = __hadd2(a, b);
}
FERMATA_BOTH FERMATA_NUMBER operator-(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hsub(a, b);
}
FERMATA_BOTH FERMATA_NUMBER& operator-=(FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return a = __hsub(a, b);
}
FERMATA_BOTH FERMATA_PAIR operator-(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hsub2(a, b);
}
FERMATA_BOTH FERMATA_PAIR& operator-=(FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return a = __hsub2(a, b);
}
FERMATA_BOTH FERMATA_NUMBER operator*(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hmul(a, b);
}
FERMATA_BOTH FERMATA_NUMBER& operator*=(FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return a = __hmul(a, b);
}
FERMATA_BOTH FERMATA_PAIR operator*(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hmul2(a, b);
}
FERMATA_BOTH FERMATA_PAIR& operator*=(FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return a = __hmul2(a, b);
}
FERMATA_BOTH FERMATA_NUMBER operator/(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hdiv(a, b);
}
FERMATA_BOTH FERMATA_NUMBER& operator/=(FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return a = __hdiv(a, b);
}
FERMATA_BOTH FERMATA_PAIR operator/(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __h2div(a, b);
}
FERMATA_BOTH FERMATA_PAIR& operator/=(FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return a = __h2div(a, b);
}
FERMATA_BOTH FERMATA_NUMBER operator-(const FERMATA_NUMBER& a) {
  return __hneg(a);
}
FERMATA_BOTH FERMATA_NUMBER operator+(const FERMATA_NUMBER& a) {
  return a;
}
FERMATA_BOTH FERMATA_NUMBER& operator++(FERMATA_NUMBER& a) {
  return a += FERMATA_NUMBER(1.0f);
}
FERMATA_BOTH FERMATA_NUMBER operator++(FERMATA_NUMBER& a, int) {
  const FERMATA_NUMBER before = a;
  a += FERMATA_NUMBER(1.0f);
  return before;
}
FERMATA_BOTH FERMATA_NUMBER& operator--(FERMATA_NUMBER& a) {
  return a -= FERMATA_NUMBER(1.0f);
}
FERMATA_BOTH FERMATA_NUMBER operator--(FERMATA_NUMBER& a, int) {
  const FERMATA_NUMBER before = a;
  a -= FERMATA_NUMBER(1.0f);
  return before;
}
FERMATA_BOTH FERMATA_PAIR operator-(const FERMATA_PAIR& a) {
  return __hneg2(a);
}
FERMATA_BOTH FERMATA_PAIR operator+(const FERMATA_PAIR& a) {
  return a;
}
FERMATA_BOTH FERMATA_PAIR& operator++(FERMATA_PAIR& a) {
  return a += FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f));
}
FERMATA_BOTH FERMATA_PAIR operator++(FERMATA_PAIR& a, int) {
  const FERMATA_PAIR before = a;
  a += FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f));
  return before;
}
FERMATA_BOTH FERMATA_PAIR& operator--(FERMATA_PAIR& a) {
  return a -= FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f));
}
FERMATA_BOTH FERMATA_PAIR operator--(FERMATA_PAIR& a, int) {
  const FERMATA_PAIR before = a;
  a -= FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f));
  return before;
}
FERMATA_BOTH bool operator==(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __heq(a, b);
}
FERMATA_BOTH bool operator==(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hbeq2(a, b);
}
FERMATA_BOTH bool operator!=(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hneu(a, b);
}
FERMATA_BOTH bool operator!=(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hbneu2(a, b);
}
FERMATA_BOTH bool operator<(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hlt(a, b);
}
FERMATA_BOTH bool operator<(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hblt2(a, b);
}
FERMATA_BOTH bool operator>(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hgt(a, b);
}
FERMATA_BOTH bool operator>(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hbgt2(a, b);
}
FERMATA_BOTH bool operator<=(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hle(a, b);
}
FERMATA_BOTH bool operator<=(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hble2(a, b);
}
FERMATA_BOTH bool operator>=(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) {
  return __hge(a, b);
}
FERMATA_BOTH bool operator>=(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {
  return __hbge2(a, b);
}
