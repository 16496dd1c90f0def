#include <fermata/models/core/core_parameters.h>

namespace fermata {

const std::vector<NamedChoice<PipelineOrganisation>>& ChoiceTable<PipelineOrganisation>::table() {
  static const std::vector<NamedChoice<PipelineOrganisation>> choices{
      {PipelineOrganisation::Decoupled, "decoupled"},
      {PipelineOrganisation::Unified, "unified"},
      {PipelineOrganisation::Split, "split"},
      {PipelineOrganisation::Elastic, "elastic"}};
  return choices;
}

const std::vector<NamedChoice<BarrelProcessing>>& ChoiceTable<BarrelProcessing>::table() {
  static const std::vector<NamedChoice<BarrelProcessing>> choices{
      {BarrelProcessing::Strict, "strict"}, {BarrelProcessing::Relaxed, "relaxed"}};
  return choices;
}

const std::vector<NamedChoice<CommitOrder>>& ChoiceTable<CommitOrder>::table() {
  static const std::vector<NamedChoice<CommitOrder>> choices{{CommitOrder::Any, "any"},
                                                             {CommitOrder::InOrder, "in-order"}};
  return choices;
}

const std::vector<NamedChoice<HistoryRule>>& ChoiceTable<HistoryRule>::table() {
  static const std::vector<NamedChoice<HistoryRule>> rules{{HistoryRule::Latest, "latest"},
                                                           {HistoryRule::Greatest, "greatest"},
                                                           {HistoryRule::Mean, "mean"}};
  return rules;
}

const std::vector<NamedChoice<ConflictPrediction>>& ChoiceTable<ConflictPrediction>::table() {
  static const std::vector<NamedChoice<ConflictPrediction>> predictions{
      {ConflictPrediction::History, "history"},
      {ConflictPrediction::Perfect, "perfect"},
      {ConflictPrediction::None, "none"}};
  return predictions;
}

const std::vector<NamedChoice<ReplayPriority>>& ChoiceTable<ReplayPriority>::table() {
  static const std::vector<NamedChoice<ReplayPriority>> choices{
      {ReplayPriority::Old, "old"}, {ReplayPriority::Age, "age"}, {ReplayPriority::New, "new"}};
  return choices;
}

}  // namespace fermata
