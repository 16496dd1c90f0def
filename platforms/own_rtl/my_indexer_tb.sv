// Compares my_indexer.sv with a mapping of the model, +mapping="xor k1=0 k2=5 mask=31": bank and row of each word, and the
// passes of warps whose lanes read every n-th word, n from 1 to 32.
module my_indexer_tb;
  import fermata_dpi::*;
  localparam int unsigned WORDS = 1024;

  logic clk = 0;
  logic [31:0] word[32], bank[32], row[32];
  my_indexer block (.word(word), .bank(bank), .row(row));

  string mapping = "xor k1=0 k2=5 mask=31";
  chandle memory;
  int unsigned step = 0, address[32], right_bank, right_row;

  // Returns the lanes on the fullest bank. They ask for distinct words.
  function automatic int passes();
    int on_bank[32] = '{default: 0};
    passes = 0;
    foreach (bank[lane]) begin
      on_bank[bank[lane][4:0]]++;
      if (on_bank[bank[lane][4:0]] > passes) passes = on_bank[bank[lane][4:0]];
    end
  endfunction

  initial begin
    void'($value$plusargs("mapping=%s", mapping));
    memory = fermata_memory(mapping, 32, WORDS, 4);
    if (memory == null) $fatal(1, "%s", fermata_refusal());
  end
  always #1 clk = !clk;

  always @(posedge clk) begin  // WORDS / 32 steps that read all words, then 32 strides
    foreach (word[lane]) word[lane] <= step < WORDS / 32 ? 32 * step + lane : (step - WORDS / 32 + 1) * lane;
    step <= step + 1;
  end

  always @(negedge clk) begin
    foreach (word[lane]) begin
      address[lane] = 4 * word[lane];
      void'(fermata_locate(memory, address[lane], right_bank, right_row));
      if (bank[lane] != right_bank || row[lane] != right_row)
        $fatal(1, "word %0d: bank %0d, row %0d; expected bank %0d, row %0d", word[lane], bank[lane], row[lane],
               right_bank, right_row);
    end
    if (passes() != fermata_passes(memory, '1, address, 4))
      $fatal(1, "%0d passes; expected %0d", passes(), fermata_passes(memory, '1, address, 4));
    if (step == WORDS / 32 + 32) begin
      $display("%0d words and 32 strides as '%s' says", WORDS, mapping);
      fermata_memory_free(memory);
      $finish;
    end
  end
endmodule
