; Rust. An `impl` is no definition of its own: it qualifies its members and makes them methods.
; Fields and variants are definitions; a variant is a constant, as in every language here.

; --- definitions
(function_item name: (_) @name body: (block) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name body: (_) @body) @definition.struct
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.struct
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (_) @name) @definition.constant
(field_declaration name: (_) @name) @definition.field
(trait_item name: (_) @name body: (_) @body) @definition.trait
(mod_item name: (_) @name body: (_) @body) @definition.module
(macro_definition name: (_) @name) @definition.macro
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (identifier) @name (#not-eq? @name "_")) @definition.constant
(static_item (mutable_specifier) name: (_) @name) @definition.variable
(static_item name: (_) @name) @definition.constant
(let_declaration pattern: (identifier) @name
  value: (closure_expression body: (_) @body)) @definition.function

; items that a macro wraps (`pin_project! { pub struct A { … } }`): the macro is their span
(source_file (macro_invocation (token_tree "struct" . (identifier) @name)) @definition.struct)
(source_file (macro_invocation (token_tree "enum" . (identifier) @name)) @definition.enum)
(source_file (macro_invocation (token_tree "trait" . (identifier) @name)) @definition.trait)

(impl_item type: (_) @name) @scope.type

(attribute_item) @attribute
[(line_comment) (block_comment)] @comment

; --- attributes
(attribute_item (attribute (identifier) @reference.decorator))
(attribute_item (attribute (scoped_identifier
  path: (_) @receiver name: (_) @name))) @reference.decorator
(attribute_item (attribute (identifier) @_derive
  arguments: (token_tree (identifier) @reference.none . "::"))
  (#eq? @_derive "derive"))
(attribute_item (attribute (identifier) @_derive
  arguments: (token_tree (identifier) @reference.decorator))
  (#eq? @_derive "derive"))

; --- names that are declared, and what the language itself defines, are no references
(struct_item name: (type_identifier) @reference.none)
(union_item name: (type_identifier) @reference.none)
(enum_item name: (type_identifier) @reference.none)
(trait_item name: (type_identifier) @reference.none)
(type_item name: (type_identifier) @reference.none)
(associated_type name: (type_identifier) @reference.none)
(type_parameter name: (type_identifier) @reference.none)
(type_binding name: (type_identifier) @reference.none)
((type_identifier) @reference.none
  (#any-of? @reference.none "Self"))
(impl_item type: [
  (type_identifier) @reference.none
  (generic_type type: (type_identifier) @reference.none)
  (scoped_type_identifier name: (type_identifier) @reference.none)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @reference.none))
  (reference_type type: (type_identifier) @reference.none)
])

; --- bases: implemented traits belong to the type, supertraits to the trait
(impl_item
  trait: [(type_identifier) @reference.base (generic_type type: (type_identifier) @reference.base)]
  type: (_) @owner)
(impl_item
  trait: [
    (scoped_type_identifier path: (_) @receiver name: (_) @name)
    (generic_type type: (scoped_type_identifier path: (_) @receiver name: (_) @name))
  ]
  type: (_) @owner) @reference.base
(trait_item bounds: (trait_bounds [
  (type_identifier) @reference.base
  (function_type trait: (type_identifier) @reference.base)
  (generic_type type: (type_identifier) @reference.base)
]))
(trait_item bounds: (trait_bounds [
  (scoped_type_identifier path: (_) @receiver name: (_) @name)
  (generic_type type: (scoped_type_identifier path: (_) @receiver name: (_) @name))
])) @reference.base

; --- calls; macros are calls, and what looks like a call among a macro's tokens is one
((call_expression function: (identifier) @reference.none)
  (#any-of? @reference.none "Some" "Ok" "Err"))
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression
  value: (_) @receiver field: (field_identifier) @name)) @reference.call
(call_expression function: (scoped_identifier path: (_) @receiver name: (_) @name)) @reference.call
(call_expression function: (scoped_identifier !path name: (_) @name)) @reference.call
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (field_expression
  value: (_) @receiver field: (field_identifier) @name))) @reference.call
(call_expression function: (generic_function function: (scoped_identifier
  path: (_) @receiver name: (_) @name))) @reference.call
(call_expression function: (parenthesized_expression (field_expression
  value: (_) @receiver field: (field_identifier) @name))) @reference.call
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier
  path: (_) @receiver name: (_) @name)) @reference.call
((token_tree (identifier) @reference.none)
  (#any-of? @reference.none "Some" "Ok" "Err"))
(token_tree (identifier) @reference.call . (token_tree . "(") @touching)

; --- types
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @name) @reference.type
(type_identifier) @reference.type

; --- imports
(use_declaration) @import
(extern_crate_declaration name: (_) @module alias: (_) @module_alias) @import.import
(extern_crate_declaration name: (_) @module) @import.import
(mod_item name: (_) @module !body) @import.module
