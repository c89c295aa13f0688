; What JavaScript, TypeScript and TSX share. Variables count at the top level only; functions,
; classes and methods anywhere.

; --- definitions: what `require` brings in is an import
(variable_declarator name: (identifier) @name
  value: [
    (call_expression function: (identifier) @_require)
    (member_expression object: (call_expression function: (identifier) @_require))
  ] (#eq? @_require "require")) @definition.none
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
  ])
  value: (call_expression function: (identifier) @_require)
  (#eq? @_require "require")) @definition.none

; --- functions
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @definition.function
(export_statement value: [
  (arrow_function body: (_) @body)
  (function_expression !name body: (_) @body)
] @definition.function (#set! name "default"))

; --- classes
(class_declaration name: (_) @name body: (_) @body) @definition.class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(export_statement value: (class name: (_) @name body: (_) @body) @definition.class)
(export_statement value: (class !name body: (_) @body) @definition.class (#set! name "default"))
(method_definition name: (_) @name body: (_) @body) @definition.method

; --- CommonJS exports and functions hung on objects and prototypes
(assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_module "module") (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (_) @name body: (_) @body)
  (#eq? @_module "module") (#eq? @_exports "exports")) @definition.class
(assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (function_expression !name body: (_) @body)
    (arrow_function body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_module "module") (#eq? @name "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#any-of? @_module "exports" "window" "globalThis" "global")) @definition.function
(assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @name)
  right: [(function_expression) (class)]
  (#eq? @_module "module") (#eq? @name "exports")) @definition.none
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (identifier) @_module property: (property_identifier) @_exports)
    property: (property_identifier) @name)
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_module "module") (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression) (this)] @scope
    property: [(property_identifier) (private_property_identifier)] @name)
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(assignment_expression
  left: (identifier) @name
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression)] @scope property: (property_identifier) @name)
  right: (class body: (_) @body)) @definition.class
(program (expression_statement (assignment_expression
  left: (member_expression
    object: (identifier) @_module property: (property_identifier) @name)
  (#eq? @_module "exports")) @definition.variable))

; --- functions in object literals that are kept: assigned, returned, exported, nested in such
(variable_declarator value: (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method))
(assignment_expression right: (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method))
(export_statement value: (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.method))
(return_statement (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.method))
(arrow_function body: (parenthesized_expression (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.method)))
(pair value: (object (pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.method))
(export_statement value: (object) @definition.variable (#set! name "default"))
(pair key: (property_identifier) @name value: (object)) @scope.namespace

; --- top-level variables
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(program (export_statement declaration: (lexical_declaration
  (variable_declarator name: (identifier) @name) @definition.constant))
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (export_statement declaration: (_
    (variable_declarator name: (identifier) @name) @definition.variable))
])
(program (_ (variable_declarator name: [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  ])
  (array_pattern (identifier) @name)
]) @definition.variable))
(program (export_statement declaration: (_ (variable_declarator name: [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
  ])
  (array_pattern (identifier) @name)
]) @definition.variable)))

; --- statements that belong to their one definition
(export_statement declaration: (_) @wrapped) @wrapper
(export_statement value: [(arrow_function) (function_expression) (class) (object)] @wrapped) @wrapper
(program (lexical_declaration . (variable_declarator) @wrapped .) @wrapper)
(program (variable_declaration . (variable_declarator) @wrapped .) @wrapper)
(export_statement declaration: (lexical_declaration . (variable_declarator) @wrapped .) @wrapper)
(export_statement declaration: (variable_declaration . (variable_declarator) @wrapped .) @wrapper)
(lexical_declaration . (variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class) (object)]) @wrapped
  .) @wrapper
(variable_declaration . (variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class) (object)]) @wrapped
  .) @wrapper
(expression_statement (assignment_expression right: [
  (arrow_function) (function_expression) (generator_function) (class) (object)]) @wrapped) @wrapper
(program (expression_statement (assignment_expression) @wrapped) @wrapper)

(comment) @comment

; --- references
(decorator (identifier) @reference.decorator)
(decorator (member_expression object: (_) @receiver property: (_) @name)) @reference.decorator
(decorator (call_expression function: (identifier) @reference.decorator))
(decorator (call_expression function: (member_expression
  object: (_) @receiver property: (_) @name))) @reference.decorator

((call_expression function: (identifier) @reference.none)
  (#eq? @reference.none "require"))
(call_expression function: [(identifier) (super)] @reference.call)
(call_expression function: (member_expression
  object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name)
) @reference.call
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression
  object: (_) @receiver property: (_) @name)) @reference.call

; --- imports
(import_statement) @import
(export_statement source: (_)) @import
((call_expression function: (identifier) @_require arguments: (arguments . [(string) (template_string)])) @import
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . [(string) (template_string)])) @import
