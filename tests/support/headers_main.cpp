// Nothing of its own: what every test reads first is compiled with it (cmake/FermataTest.cmake).
int main() {
  return 0;
}
