// The program fermata with an indexer of RTL: my_indexer.sv.
#include <Vmy_indexer.h>

#include <fermata/models/rtl/verilated/simulation.h>
#include <fermata/platforms/program/program.h>

using namespace fermata;

class MyIndexer : public rtl::MapBlock {
 public:
  void map(const rtl::Lanes& word, LaneMask, rtl::Lanes& bank, rtl::Lanes& row) override {
    rtl::verilated::copyIn(word, block_->word);
    block_.eval();
    rtl::verilated::copyOut(block_->bank, bank);
    rtl::verilated::copyOut(block_->row, row);
  }
  bool trace(rtl::Waves& waves, const std::string& name) override {
    return block_.trace(waves, name);
  }

 private:
  rtl::verilated::Simulation<Vmy_indexer> block_;
};

class MyParts : public platforms::Connector {
  std::unique_ptr<rtl::MapBlock> mapBlock(const indexing::Indexer& mapping) override {
    if (mapping.shape().banks != 32) throw BadInput("my_indexer.sv has 32 banks; expected 32");
    return std::make_unique<MyIndexer>();
  }
};

int main(int argc, char** argv) {
  MyParts parts;
  return platforms::runProgram(argc, argv, parts);
}
