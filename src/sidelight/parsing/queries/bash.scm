; Bash. A command calls whatever has its name: a function of some file, or a program. The shell's own
; commands are none. Variables are symbols where the file sets them, outside of functions.

; --- definitions
(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command "readonly"
  (variable_assignment name: (variable_name) @name)) @definition.constant)
(program (declaration_command
  (variable_assignment name: (variable_name) @name)) @definition.variable)

(comment) @comment

; --- calls; a function's name handed to `trap` is one too
(command name: (command_name (word) @reference.none)
  (#any-of? @reference.none
    ":" "." "[" "alias" "bg" "bind" "break" "builtin" "caller" "cd" "command" "compgen"
    "complete" "compopt" "continue" "declare" "dirs" "disown" "echo" "enable" "eval" "exec"
    "exit" "export" "false" "fc" "fg" "getopts" "hash" "help" "history" "jobs" "kill" "let"
    "local" "logout" "mapfile" "popd" "printf" "pushd" "pwd" "read" "readarray" "readonly"
    "return" "set" "setopt" "shift" "shopt" "source" "suspend" "test" "times" "trap" "true"
    "type" "typeset" "ulimit" "umask" "unalias" "unset" "wait"))
(command name: (command_name (word) @reference.call)
  (#match? @reference.call "^[A-Za-z_][A-Za-z0-9_:.@+-]*$"))
(command name: (command_name (word) @_trap) . argument: (word) @reference.call
  (#eq? @_trap "trap") (#match? @reference.call "^[A-Za-z_][A-Za-z0-9_:]*$"))

; --- imports
(command name: (command_name (word) @_source) . argument: [(word) (string) (concatenation)] @module
  (#any-of? @_source "source" ".")) @import.include
