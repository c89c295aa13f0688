; What JavaScript, TypeScript and TSX share. Variables count at the top level only; functions,
; classes and methods anywhere. Compiling is half of what a small commit costs, so patterns are
; few and shallow.

; --- definitions
(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(method_definition name: (_) @name body: (_) @body) @definition.method

; --- by assignment: `parsing/assignments.py` reads the name and what it hangs on
(variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class)]) @definition
(assignment_expression
  right: [(arrow_function) (function_expression) (generator_function) (class)]) @definition
(pair value: [(arrow_function) (function_expression) (generator_function)]) @definition
(export_statement value: (_)) @definition
(program (_ [(variable_declarator) (assignment_expression)] @definition))
(program (export_statement declaration: (_ (variable_declarator) @definition)))
(pair key: (property_identifier) @name value: (object)) @scope.namespace

; --- statements that belong to their one definition
(export_statement declaration: (_) @wrapped) @wrapper
(lexical_declaration . (variable_declarator) @wrapped .) @wrapper
(variable_declaration . (variable_declarator) @wrapped .) @wrapper
(expression_statement (assignment_expression) @wrapped) @wrapper

(comment) @comment

; --- references
(decorator (_) @reference)

((call_expression function: (identifier) @reference.none)
  (#eq? @reference.none "require"))
(call_expression function: [(identifier) (super)] @reference.call)
(call_expression function: (member_expression
  object: (_) @receiver property: (_) @name)) @reference.call
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression
  object: (_) @receiver property: (_) @name)) @reference.call

; --- imports
(import_statement) @import
(export_statement source: (_)) @import
(call_expression function: (identifier) @_require
  (#eq? @_require "require")) @import
(call_expression function: (import)) @import
