; Python. Assignments inside functions are matched too and dropped as locals by the framework.

; --- definitions
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(decorated_definition definition: (_) @wrapped) @wrapper

(assignment left: (identifier) @name right: (lambda)) @definition.function
(module (assignment left: (identifier) @name) @definition.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(assignment left: (identifier) @name) @definition.variable
(assignment left: [
  (pattern_list (identifier) @name)
  (tuple_pattern (identifier) @name)
]) @definition.variable
(type_alias_statement left: (type [
  (identifier) @name
  (generic_type . (identifier) @name)
])) @definition.type

(comment) @comment

; --- decorators, before calls: a decorator that is called is one reference
(decorator (identifier) @reference.decorator)
(decorator (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.decorator
(decorator (call function: (identifier) @reference.decorator))
(decorator (call function: (attribute
  object: (_) @receiver attribute: (identifier) @name))) @reference.decorator

; --- bases
(class_definition superclasses: (argument_list (identifier) @reference.base))
(class_definition superclasses: (argument_list
  (attribute object: (_) @receiver attribute: (identifier) @name))) @reference.base
(class_definition superclasses: (argument_list
  (subscript value: (identifier) @reference.base)))
(class_definition superclasses: (argument_list
  (subscript value: (attribute
    object: (_) @receiver attribute: (identifier) @name)))) @reference.base
(class_definition superclasses: (argument_list
  (subscript subscript: (_) @reference.types)))
(class_definition superclasses: (argument_list
  (keyword_argument name: (identifier) @_metaclass value: (identifier) @reference.type))
  (#eq? @_metaclass "metaclass"))

; --- types: what the language itself defines is no reference
(type_alias_statement left: (type (identifier) @reference.none))
(type_alias_statement left: (type (generic_type . (identifier) @reference.none)))
(class_definition type_parameters: (type_parameter (type (identifier) @reference.none)))
(function_definition type_parameters: (type_parameter (type (identifier) @reference.none)))
(type (identifier) @reference.none
  (#any-of? @reference.none
    "int" "str" "float" "bool" "bytes" "object" "list" "dict" "set" "tuple" "frozenset" "type"
    "complex" "bytearray"))
(generic_type . (identifier) @reference.none
  (#any-of? @reference.none "list" "dict" "set" "tuple" "frozenset" "type"))
(generic_type . (identifier) @_literal
  (type_parameter (type (string (string_content) @reference.none)))
  (#eq? @_literal "Literal"))
(type (identifier) @reference.type)
(type (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.type
(generic_type . (identifier) @reference.type)
(type [(string) (list) (subscript) (binary_operator) (tuple)] @reference.types)
(except_clause value: (_) @reference.types)

; --- calls
(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.call

; --- imports
(import_statement name: (dotted_name) @module) @import.import
(import_statement name: (aliased_import
  name: (dotted_name) @module alias: (identifier) @module_alias)) @import.import
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import.import
(import_from_statement module_name: (_) @module name: (aliased_import
  name: (dotted_name) @imported alias: (identifier) @alias)) @import.import
(import_from_statement module_name: (_) @module (wildcard_import) @imported) @import.import
(future_import_statement "__future__" @module name: (dotted_name) @imported) @import.import
