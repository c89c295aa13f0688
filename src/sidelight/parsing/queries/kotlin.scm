; Kotlin. Types nest and qualify; an extension belongs to the type it extends, a companion's members
; to the class around it (so they are called), and the package to nothing. `rules/kotlin.py` reads
; properties and imports.

; --- definitions; annotations are modifiers, inside of the declaration
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name (class_body)? @body) @definition.constant
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.field
(secondary_constructor "constructor" @name (constructor_delegation_call)? . "{" @body
) @definition.method
(secondary_constructor "constructor" @name) @definition.method
(type_alias (type_identifier) @name) @definition.type

(function_declaration
  receiver: (receiver_type [(user_type) @scope (nullable_type (user_type) @scope)])
  (simple_identifier) @name (function_body)? @body) @definition.method
(object_literal (class_body
  (function_declaration (simple_identifier) @name (function_body)? @body) @definition.method))
(enum_entry (class_body
  (function_declaration (simple_identifier) @name (function_body)? @body) @definition.method))
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function

(property_declaration) @definition

[(line_comment) (multiline_comment)] @comment

; --- annotations
(annotation [
  (user_type (type_identifier) @reference.decorator .)
  (constructor_invocation (user_type (type_identifier) @reference.decorator .))
])
(file_annotation [
  (user_type (type_identifier) @reference.decorator .)
  (constructor_invocation (user_type (type_identifier) @reference.decorator .))
])

; --- calls: functions, constructors, infix words, references to callables
(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression
  (_) @receiver (navigation_suffix (simple_identifier) @name))) @reference.call
(infix_expression . (_) @receiver . (simple_identifier) @name) @reference.call
(callable_reference . (type_identifier) @receiver (simple_identifier) @name .) @reference.call
(callable_reference . (simple_identifier) @reference.call)

; --- bases and types: the last word of a name, and none that the language itself defines
(user_type (type_identifier) @reference.none . (type_identifier))
((type_identifier) @reference.none
  (#any-of? @reference.none
    "Int" "Long" "Short" "Byte" "Float" "Double" "Boolean" "Char" "String" "Unit" "Any" "Nothing"
    "UInt" "ULong" "UByte" "UShort"))
(delegation_specifier [
  (user_type (type_identifier) @reference.base)
  (constructor_invocation (user_type (type_identifier) @reference.base))
  (explicit_delegation . (user_type (type_identifier) @reference.base))
])
(user_type (type_identifier) @receiver . (type_identifier) @name) @reference.type
(user_type (type_identifier) @reference.type)
(callable_reference . (type_identifier) @reference.type .)

; --- imports
(package_header (identifier) @module) @import.package
(import_header) @import
