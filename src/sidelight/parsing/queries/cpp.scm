; C++. Namespaces qualify and are symbols; `A::f` outside of its class is a method of A.
; Declarators and qualified names are read by `declarators.py`: this grammar makes every pattern
; cost milliseconds to compile. Locals are matched and dropped by the framework.

; --- namespaces
(namespace_definition name: (namespace_identifier) @name body: (_) @body) @definition.module
(namespace_definition name: (nested_namespace_specifier
  (namespace_identifier) @scope (namespace_identifier) @name .) body: (_) @body
) @definition.module
(namespace_definition name: (nested_namespace_specifier
  (namespace_identifier) @scope (nested_namespace_specifier
    (namespace_identifier) @scope (namespace_identifier) @name .)) body: (_) @body
) @definition.module
(namespace_definition name: (nested_namespace_specifier
  (namespace_identifier) @scope (nested_namespace_specifier
    (namespace_identifier) @scope (nested_namespace_specifier
      (namespace_identifier) @scope (namespace_identifier) @name .))) body: (_) @body
) @definition.module

; --- wrappers: templates and `extern "C"` belong to what they declare
(template_declaration (_) @wrapped .) @wrapper
(linkage_specification body: [(declaration) (function_definition)] @wrapped) @wrapper
(type_definition
  type: [(struct_specifier) (union_specifier) (enum_specifier)] @wrapped) @wrapper

; --- definitions
[
  (function_definition) (declaration) (field_declaration) (type_definition)
  (class_specifier) (struct_specifier) (union_specifier)
] @definition
; `A::~A() = default;` is an assignment for the grammar
(translation_unit (expression_statement) @definition @reference)
(declaration_list (expression_statement) @definition @reference)
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type

; one without a value is a flag or an include guard
(preproc_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

(comment) @comment

; --- references: declared names are claimed first; macros like `API_EXPORT` only look like types
((type_identifier) @reference.none
  (#match? @reference.none "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"))
[
  (class_specifier) (struct_specifier) (union_specifier) (enum_specifier) (type_definition)
  (function_definition) (declaration)
  (base_class_clause)
  (call_expression) (new_expression) (compound_literal_expression)
  (qualified_identifier)
] @reference
(alias_declaration name: (type_identifier) @reference.none)
(type_parameter_declaration (type_identifier) @reference.none)
(optional_type_parameter_declaration name: (type_identifier) @reference.none)
(variadic_type_parameter_declaration (type_identifier) @reference.none)
(type_identifier) @reference.type

; --- imports
(preproc_include path: (system_lib_string) @module) @import.system_include
(preproc_include path: (_) @module) @import.include
(using_declaration) @import
(namespace_alias_definition
  name: (_) @module_alias [(nested_namespace_specifier) (namespace_identifier)] @module .
) @import.import
