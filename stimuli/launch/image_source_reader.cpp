#include <fermata/stimuli/launch/image_source_reader.h>

#include <fermata/stimuli/launch/image_plan.h>
#include <fermata/stimuli/launch/parameter_reader.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {

ImageSource readImageSource(ExpressionTable& tables, const std::string& name, Scope& scope) {
  requireName(name, tables.where(name));
  ExpressionTable table = *tables.table(name, "image '" + name + "'");
  ImageSource source;
  source.name = name;
  source.where = table.where();
  source.source = table.pattern("source");
  source.seed = table.expression("seed", 0);
  source.width = table.expression("width", 640);
  source.height = table.expression("height", 480);
  source.bits = table.expression("bits", 8);
  source.noise = table.expression("noise", 16);
  source.threshold = table.optionalExpression("threshold");
  table.refuseOtherKeys();
  for (const auto& [size, value] : PlannedImage{name, {}, {}}.sizes()) scope[size] = value;
  if (!source.threshold) scope.erase("edges(" + name + ")");
  return source;
}

void readImageFill(ExpressionTable& table, const std::vector<ImageSource>& images, Fill& fill) {
  const bool isEdges = table.has("edges");
  const std::string key = isEdges ? "edges" : "image";
  fill.kind = isEdges ? Fill::Kind::Edges : Fill::Kind::Image;
  fill.image = table.text(key);
  const ImageSource& source =
      findNamed(images, fill.image, table.where(key), "image", "an [images.NAME] in the file");
  if (isEdges && !source.threshold) {
    refuse(table.where(key), "image '{}' has no edges; expected a threshold in [images.{}]",
           source.name, source.name);
  }
}

}  // namespace fermata::launch
