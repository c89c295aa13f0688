; Zig: definitions only.
(Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @definition.function
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "struct")) @body)))
) @definition.struct
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType ["enum" "union"])) @body)))
) @definition.enum
(source_file (Decl (VarDecl . variable_type_function: (IDENTIFIER) @name)) @definition.constant)
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(TestDecl (STRINGLITERALSINGLE) @name (Block) @body) @definition.function
[(line_comment) (doc_comment)] @comment
