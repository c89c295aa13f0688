; Clojure: definitions only.
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#any-of? @_keyword "defn" "defn-" "defmulti" "defmethod" "deftest" "defspec")
) @definition.function
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#eq? @_keyword "defmacro")) @definition.macro
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#any-of? @_keyword "def" "defonce")) @definition.variable
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#any-of? @_keyword "defprotocol" "definterface")) @definition.interface
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#any-of? @_keyword "defrecord" "deftype")) @definition.struct
(list_lit . (sym_lit) @_keyword . (sym_lit name: (_) @name)
  (#eq? @_keyword "ns")) @definition.module
(comment) @comment
