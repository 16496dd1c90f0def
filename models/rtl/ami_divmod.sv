// Bank and row of a word for any number of banks M: word MOD M and word DIV M (Diamond, Fussell,
// Keckler: Arbitrary Modulus Indexing, MICRO 2014, section III). One lane, combinational.
//
// M = 2^m * R with R odd. The low m bits of the word are the low bits of MOD; the bits above, x, are
// divided by R. 1/R repeats in binary with a period of P bits, the order of 2 modulo R; its repetend
// is Q = (2^P - 1) / R. x * 0.QQQ... is DIV and, behind the point, MOD * 0.QQQ...
//
// FORM 0: the array adder of the paper: one row per digit of x, of P bits, and per digit of Q.
// FORM 1: the digits of x are added first, which leaves MOD unchanged, and only their sum enters the
//         array; DIV is (x - MOD) / R, which is exact and needs no array.
// EXACT 1: the array starts with a carry of 1, which turns 0.111... into 0.000...: DIV and MOD are exact.
//       0: no correction: where R divides x, DIV is one lower and MOD is M higher (if Q has only
//          digits of 1, not for x = 0), for memories that are wired to these numbers.
// A power of two is wires. If the row of a block is not used, synthesis keeps what MOD needs.
module ami_divmod #(
    parameter int unsigned M = 33,  // banks: 1 and up
    parameter int unsigned W = 32,  // bits of a word address
    parameter int unsigned FORM = 1,
    parameter bit EXACT = 1'b1,
    localparam int unsigned BANK_BITS = M == 1 ? 1 : $clog2(M),
    localparam int unsigned ROW_BITS = $clog2(((64'd1 << W) - 1) / 64'(M) + 1)
) (
    input  logic [W-1:0]         word,
    output logic [BANK_BITS-1:0] bank,
    output logic [ROW_BITS-1:0]  row
);
  function automatic int unsigned trailing_zeros(input int unsigned number);
    int unsigned rest;
    trailing_zeros = 0;
    rest = number;
    while (rest % 2 == 0) begin
      rest = rest / 2;
      trailing_zeros = trailing_zeros + 1;
    end
  endfunction

  // Returns the order of 2 modulo an odd number: bits until its reciprocal repeats.
  function automatic int unsigned period(input int unsigned odd);
    int unsigned power;
    power = 2 % odd;
    period = 1;
    while (power > 1) begin
      power = power * 2 % odd;
      period = period + 1;
    end
  endfunction

  localparam int unsigned LOW = trailing_zeros(M);
  localparam bit WIRES = M == 1 << LOW;
  localparam int unsigned R = WIRES ? 3 : M >> LOW;  // 3 stands in where no array is used
  localparam int unsigned P = period(R);

  // Returns the repetend by long division of 1 by an odd number, the first bit behind the point on top.
  function automatic logic [P-1:0] repetend(input int unsigned odd);
    int unsigned rest;
    rest = 1;
    repetend = 0;
    for (int unsigned i = 0; i < P; i++) begin
      rest = rest * 2;
      repetend = repetend << 1 | P'(rest >= odd);
      if (rest >= odd) rest = rest - odd;
    end
  endfunction

  function automatic int unsigned ones(input logic [P-1:0] bits);
    ones = 0;
    for (int unsigned i = 0; i < P; i++) ones = ones + 32'(bits[i]);
  endfunction

  // Q in digits -1, 0, 1. The non-adjacent form is the difference of 3Q and Q, halved; it is used if it has fewer
  // digits than Q has ones.
  localparam logic [P-1:0] Q = repetend(R);
  localparam logic [P+1:0] Q1 = (P + 2)'(Q);
  localparam logic [P+1:0] Q3 = Q1 + (Q1 << 1);
  localparam logic [P-1:0] NAF_PLUS = P'((Q3 & ~Q1) >> 1);
  localparam logic [P-1:0] NAF_MINUS = P'((Q1 & ~Q3) >> 1);
  localparam bit NAF = ones(NAF_PLUS) + ones(NAF_MINUS) < ones(Q);
  localparam logic [P-1:0] PLUS = NAF ? NAF_PLUS : Q;
  localparam logic [P-1:0] MINUS = NAF ? NAF_MINUS : P'(0);

  localparam int unsigned X_DIGITS = (W - LOW + P - 1) / P;
  localparam bit FOLD = FORM == 1 && X_DIGITS > 1 && ones(Q) > 1;
  localparam int unsigned DIGITS = FOLD ? 1 : X_DIGITS;  // digits that go through the array

  // Returns the sum of the digits of x, with the carry wrapped around: x MOD 2^P - 1, but 2^P - 1 may stand for 0.
  function automatic logic [P-1:0] fold(input logic [X_DIGITS*P-1:0] x);
    logic [P:0] total;
    logic carry;
    fold = 0;
    carry = 0;
    for (int unsigned i = 0; i < X_DIGITS; i++) begin
      total = (P + 1)'(fold) + (P + 1)'(x[i*P+:P]) + (P + 1)'(carry);
      carry = total[P];
      fold = total[P-1:0];
    end
    fold = fold + P'(carry);
  endfunction

  // Returns MOD = floor(R * s / 2^P) of the fraction s, which is MOD * Q + 1 if EXACT, otherwise MOD * Q. The top bits
  // of s, as many as R has, suffice: the part of the other bits stays below the point.
  localparam int unsigned TOP = $clog2(R);
  localparam int unsigned ROUND = EXACT ? R - 1 : R + (R >> (P - TOP));
  function automatic logic [TOP-1:0] scale(input logic [P-1:0] s);
    logic [TOP-1:0] top;
    top = TOP'(s >> (P - TOP));
    if (P == TOP) scale = top - TOP'(EXACT);  // R = 2^P - 1
    else scale = TOP'(((2 * TOP)'(top) * (2 * TOP)'(R) + (2 * TOP)'(ROUND)) >> TOP);
  endfunction

  // Returns DIV and MOD by R. A row is a digit of x, rotated: the digit repeated for ever behind the point, and the
  // part of that before the point. A -1 of Q enters the complement of both. The carry out of a row goes into DIV and
  // wraps around into the next row; the carry of the last row is added at the end.
  function automatic logic [ROW_BITS+TOP-1:0] array(input logic [DIGITS*P-1:0] x);
    logic [ROW_BITS-1:0] div, repeated, above;
    logic [P-1:0] sum, digit, high, fraction;
    logic [P:0] total;
    logic carry;
    div = 0;
    sum = 0;
    carry = EXACT;
    for (int unsigned i = 0; i < DIGITS; i++) begin
      digit = x[i*P+:P];
      repeated = 0;
      for (int unsigned k = 0; k < i; k++) repeated = repeated << P | ROW_BITS'(digit);
      for (int unsigned j = 0; j < P; j++) begin
        if (PLUS[j] || MINUS[j]) begin
          high = digit >> (P - j);
          fraction = digit << j | high;
          above = repeated << j | ROW_BITS'(high);
          if (MINUS[j]) fraction = ~fraction;
          if (MINUS[j]) above = ~above;
          total = (P + 1)'(sum) + (P + 1)'(fraction) + (P + 1)'(carry);
          carry = total[P];
          sum = total[P-1:0];
          div = div + above + ROW_BITS'(carry);
        end
      end
    end
    array = {div, scale(sum + P'(carry))};
  endfunction

  // Returns a multiple of -R divided by -R. Modulo a power of two, and with B = 2^P, 1 / -R is Q * (1 + B + B^2 + ...),
  // and that sum is (1 + B) * (1 + B^2) * (1 + B^4) ...
  function automatic logic [ROW_BITS-1:0] quotient(input logic [ROW_BITS-1:0] multiple);
    quotient = 0;
    for (int unsigned j = 0; j < P; j++) begin
      if (PLUS[j]) quotient = quotient + (multiple << j);
      if (MINUS[j]) quotient = quotient - (multiple << j);
    end
    for (int unsigned b = P; b < ROW_BITS; b = b * 2) quotient = quotient + (quotient << b);
  endfunction

  function automatic logic [ROW_BITS+BANK_BITS-1:0] divmod(input logic [W-1:0] address);
    logic [X_DIGITS*P-1:0] x;
    logic [ROW_BITS+TOP-1:0] result;
    logic [ROW_BITS-1:0] div;
    logic [W-1:0] low, mod;
    low = address & W'((1 << LOW) - 1);
    x = (X_DIGITS * P)'(address[W-1:LOW]);
    result = array(FOLD ? (DIGITS * P)'(fold(x)) : (DIGITS * P)'(x));
    mod = W'(result) & W'((1 << TOP) - 1);
    div = FORM == 0 ? ROW_BITS'(result >> TOP) : quotient(ROW_BITS'(mod) - ROW_BITS'(x));
    divmod = {div, BANK_BITS'(mod << LOW | low)};
    if (WIRES) divmod = {ROW_BITS'(x), BANK_BITS'(low)};
  endfunction

  assign {row, bank} = divmod(word);
endmodule
