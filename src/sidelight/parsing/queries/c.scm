; C. A prototype is a `function` too; locals are matched and dropped by the framework.
; Declarators are read by `declarators.py`.

; --- definitions
[(function_definition) (declaration) (field_declaration) (type_definition)] @definition
(type_definition
  type: [(struct_specifier) (union_specifier) (enum_specifier)] @wrapped) @wrapper
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant

; one without a value is a flag or an include guard
(preproc_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

(comment) @comment

; --- calls
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression
  argument: (_) @receiver field: (field_identifier) @name)) @reference.call
(macro_type_specifier name: (identifier) @reference.call)

; --- types: what is declared is no use
[(struct_specifier) (union_specifier) (enum_specifier) (type_definition)] @reference
(type_identifier) @reference.type

; --- includes
(preproc_include path: (system_lib_string) @module) @import.system_include
(preproc_include path: (_) @module) @import.include
