#include <fermata/platforms/program/shell/completion.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

// COMP_WORDS has an = as a word of its own; what is before it is no part of a reply.
constexpr const char* kBash = R"(# bash completion of fermata, written by 'fermata completion bash'
_fermata() {
  local program=${COMP_WORDS[0]/#\~/$HOME} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} line
  local -a answer
  mapfile -t answer < <("$program" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  for line in "${answer[@]:1}"; do
    line=${line%%$'\t'*}
    [[ $word != = && $before != = ]] || line=${line##*=}
    [[ $line != *= ]] || compopt -o nospace
    COMPREPLY+=("$line")
  done
  [[ $word != = ]] || word=
  local IFS=$'\n'
  case ${answer[0]-} in
    files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$word")) ;;
    folders) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$word")) ;;
  esac
}
complete -F _fermata fermata
)";

constexpr const char* kZsh = R"(#compdef fermata
# zsh completion of fermata, written by 'fermata completion zsh'
_fermata() {
  local -a answer whole open
  local line word meaning
  answer=("${(@f)$("${words[1]/#\~/$HOME}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    word=${line%%$'\t'*} meaning=${line#*$'\t'}
    line=${word//:/\\:}${meaning:+:$meaning}
    if [[ $word == *= ]]; then open+=("$line"); else whole+=("$line"); fi
  done
  _describe -t words word whole
  _describe -t names name open -S ''
  case $answer[1] in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _fermata ]]; then _fermata "$@"; else compdef _fermata fermata; fi
)";

constexpr const char* kFish = R"(# fish completion of fermata, written by 'fermata completion fish'
function __fermata_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer ($words[1] complete $words[2..-1] 2>/dev/null)
    test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    switch "$answer[1]"
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
end
complete -c fermata -f -a '(__fermata_complete)'
)";

}  // namespace

std::string completionScript(const std::string& shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  refuse("no completion for '{}'; expected one of bash, zsh, fish", shell);
}

}  // namespace fermata::platforms
