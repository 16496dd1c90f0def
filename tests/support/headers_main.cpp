// Empty program; compiles the header that every test includes first (cmake/FermataTest.cmake).
int main() {
  return 0;
}
