; R: definitions only.
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @definition.function
(program (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @definition.variable)
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string) @name))
  (#any-of? @_set "setClass" "setRefClass" "R6Class")) @definition.class
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string) @name))
  (#any-of? @_set "setMethod" "setGeneric")) @definition.method
(comment) @comment
