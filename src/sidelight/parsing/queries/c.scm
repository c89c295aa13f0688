; C. A prototype is a `function` too; locals are matched and dropped by the framework.

; --- functions; a prototype inside a function is claimed as a local first
(compound_statement (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.variable)
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (_ declarator: (function_declarator declarator: (identifier) @name))
  (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (function_declarator declarator: (identifier) @name))))
] body: (_) @body) @definition.function
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (_ declarator: (function_declarator declarator: (identifier) @name))
  (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function

; --- macros; one without a value is a flag or an include guard
(preproc_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

; --- structs, unions, enums: named by the typedef where there is one
(type_definition
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @wrapped
) @wrapper
(type_definition type: [
    (struct_specifier name: (_) @_tag body: (_) @body)
    (union_specifier name: (_) @_tag body: (_) @body)
  ] declarator: (type_identifier) @name (#not-eq? @_tag @name)) @definition.struct
(type_definition type: [
    (struct_specifier !name body: (_) @body)
    (union_specifier !name body: (_) @body)
  ] declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier name: (_) @_tag body: (_) @body)
  declarator: (type_identifier) @name (#not-eq? @_tag @name)) @definition.enum
(type_definition type: (enum_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @definition.enum
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant

(type_definition type: [
    (struct_specifier name: (_) @_tag body: (_))
    (union_specifier name: (_) @_tag body: (_))
    (enum_specifier name: (_) @_tag body: (_))
  ] declarator: (_ declarator: (type_identifier) @name)) @definition.type
(type_definition type: [
    (struct_specifier !body) (union_specifier !body) (enum_specifier !body)
    (type_identifier) (primitive_type) (sized_type_specifier) (macro_type_specifier)
  ] declarator: [
  (type_identifier) @name
  (_ declarator: (type_identifier) @name)
  (_ declarator: (_ declarator: (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (type_identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (type_identifier) @name))))
]) @definition.type

; --- fields and variables
(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (field_identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (field_identifier) @name))))
]) @definition.field
(declaration (type_qualifier) @_const declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ]) (#eq? @_const "const")) @definition.constant
(declaration declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (identifier) @name))))
]) @definition.variable

(comment) @comment

; --- calls
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression
  argument: (_) @receiver field: (field_identifier) @name)) @reference.call
(macro_type_specifier name: (identifier) @reference.call)

; --- types: what is declared is no use
(struct_specifier name: (type_identifier) @reference.none body: (_))
(union_specifier name: (type_identifier) @reference.none body: (_))
(enum_specifier name: (type_identifier) @reference.none body: (_))
(translation_unit (struct_specifier name: (type_identifier) @reference.none))
(declaration_list (struct_specifier name: (type_identifier) @reference.none))
(preproc_if (struct_specifier name: (type_identifier) @reference.none))
(preproc_ifdef (struct_specifier name: (type_identifier) @reference.none))
(type_definition declarator: [
  (type_identifier) @reference.none
  (_ declarator: (type_identifier) @reference.none)
  (_ declarator: (_ declarator: (type_identifier) @reference.none))
  (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (type_identifier) @reference.none)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator
    (_ declarator: (type_identifier) @reference.none))))
])
(type_identifier) @reference.type

; --- includes
(preproc_include path: (system_lib_string) @module) @import.system_include
(preproc_include path: (_) @module) @import.include
