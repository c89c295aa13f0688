; CMake: definitions only.
(function_def (function_command (argument_list . (argument) @name))) @definition.function
(macro_def (macro_command (argument_list . (argument) @name))) @definition.macro
(normal_command (identifier) @_command (argument_list . (argument) @name)
  (#any-of? @_command "add_library" "add_executable" "add_custom_target" "project"
    "ADD_LIBRARY" "ADD_EXECUTABLE")) @definition.module
(line_comment) @comment
