; Perl: definitions only.
(package_statement name: (_) @name) @scope.file
(subroutine_declaration_statement name: (_) @name body: (_) @body) @definition.function
(subroutine_declaration_statement name: (_) @name) @definition.function
(comment) @comment
