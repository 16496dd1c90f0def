#include <fermata/platforms/cci/cci_parameters.h>

#include <cci_configuration>

#include <variant>

#include <fermata/platforms/compose/field.h>
#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

namespace {

/// Registers one parameter and returns it.
class Registration {
 public:
  Registration(cci::cci_broker_handle broker, std::string name, std::string meaning)
      : broker_(broker), name_(std::move(name)), meaning_(std::move(meaning)) {}

  std::shared_ptr<void> operator()(const std::uint32_t* value) const { return made(*value); }
  std::shared_ptr<void> operator()(const double* value) const { return made(*value); }
  std::shared_ptr<void> operator()(const bool* value) const { return made(*value); }
  std::shared_ptr<void> operator()(const std::string* value) const { return made(*value); }
  std::shared_ptr<void> operator()(const Field::Automatic* value) const {
    return made(value->has_value() ? std::to_string(**value) : std::string("auto"));
  }
  std::shared_ptr<void> operator()(const TextTarget& target) const { return made(target.text()); }

 private:
  template <class Value>
  std::shared_ptr<void> made(const Value& value) const {
    return std::make_shared<cci::cci_param_typed<Value, cci::CCI_IMMUTABLE_PARAM>>(
        name_, value, broker_, meaning_, cci::CCI_ABSOLUTE_NAME, cci::cci_originator("fermata"));
  }

  cci::cci_broker_handle broker_;
  std::string name_;
  std::string meaning_;
};

/// Returns a preset value as `--set` takes it.
std::string plainText(const cci::cci_value& value) {
  return value.is_string() ? std::string(value.get_string()) : value.to_json();
}

}  // namespace

CciParameters::CciParameters(Configuration& configuration, const std::string& name) {
  cci::cci_broker_handle broker = cci::cci_get_global_broker(cci::cci_originator("fermata"));
  PlatformParameters described;
  for (const Field& field : fieldsOf(described)) {
    const std::string path = name + '.' + field.path;
    if (broker.has_preset_value(path))
      configuration.set(field.path, plainText(broker.get_preset_cci_value(path)));
  }
  configuration.check();
  PlatformParameters values = configuration.parameters();
  for (const Field& field : fieldsOf(values)) {
    const std::string unit = field.unit.empty() ? "" : " (" + field.unit + ')';
    registered_.push_back(std::visit(
        Registration(broker, name + '.' + field.path, field.meaning + unit), field.target));
  }
}

}  // namespace fermata::platforms
