; Swift. Types nest and qualify; an extension is no definition, its members belong to the type it
; extends. Protocols are interfaces, actors classes.

; `rules/swift.py` reads functions, properties and calls.

; --- definitions; attributes are modifiers, inside of the declaration
(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration "extension" name: (user_type) @name) @scope.type
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(typealias_declaration name: (type_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro
(enum_entry name: (simple_identifier) @name) @definition.constant

[(function_declaration) (protocol_function_declaration) (property_declaration)] @definition
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_)? @body) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field

[(comment) (multiline_comment)] @comment

; --- attributes
(attribute (user_type (type_identifier) @reference.none)
  (#any-of? @reference.none "unchecked" "Sendable" "escaping" "autoclosure"))
(attribute (user_type (type_identifier) @reference.decorator .))

; --- bases and types: the last word of a name, and none that the language itself defines
(user_type (type_identifier) @reference.none . (type_identifier))
((type_identifier) @reference.none
  (#any-of? @reference.none
    "Int" "Int8" "Int16" "Int32" "Int64" "UInt" "UInt8" "UInt16" "UInt32" "UInt64" "Float"
    "Double" "Bool" "String" "Character" "Void" "Any" "AnyObject" "Self" "Never"))
(class_declaration "extension" name: (user_type) @owner
  (inheritance_specifier (user_type (type_identifier) @name .))) @reference.base
(inheritance_specifier (user_type (type_identifier) @receiver . (type_identifier) @name)
) @reference.base
(inheritance_specifier (user_type (type_identifier) @reference.base))
(constructor_expression (user_type . (type_identifier) @reference.call))
(user_type (type_identifier) @receiver . (type_identifier) @name) @reference.type
(user_type (type_identifier) @reference.type)

(call_expression) @reference

; --- imports
(import_declaration) @import
