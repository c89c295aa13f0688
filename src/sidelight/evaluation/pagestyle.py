"""The style of the report's page: light and dark, for a screen or paper."""

STYLE = """
:root{color-scheme:light dark;--ink:#1c1f23;--soft:#5d6670;--line:#d9dee3;--back:#fff;--box:#f5f7f9;
--c0:#2f6fb3;--c1:#d98032;--c2:#3f9a68;--c3:#a659a9;--c4:#8a8f2c;--c5:#c0504f;--noise:#aab3bc;
--down:#c0504f;--up:#3f9a68}
@media (prefers-color-scheme:dark){:root{--ink:#e3e7eb;--soft:#9aa5b0;--line:#343b43;--back:#14171a;
--box:#1d2125;--c0:#6aa5e0;--c1:#e6a065;--c2:#6cc394;--c3:#c98acb;--c4:#b9be5c;--c5:#e08785;
--noise:#59626b;--down:#e08785;--up:#6cc394}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:940px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:1.6rem;margin:.3em 0}h2{font-size:1.25rem;margin:2.2em 0 .4em;
border-bottom:1px solid var(--line);padding-bottom:.25em}
h3{font-size:1rem;margin:1.8em 0 .4em}h4{margin:.2em 0;font-size:.85rem;color:var(--soft)}
small{color:var(--soft);font-weight:400}
nav a{margin-right:1.2em;color:var(--c0)}
.partial{border-left:4px solid var(--c1);background:var(--box);padding:.5em .9em}
.legend span{margin-right:1.4em;white-space:nowrap}
.legend i{display:inline-block;width:11px;height:11px;margin-right:.45em;border-radius:2px}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3em .5em;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child{text-align:left}thead th{color:var(--soft);font-weight:500;font-size:.85rem}
svg{width:100%;height:auto;display:block;font-size:11px}
svg text{fill:var(--ink)}svg .label{text-anchor:end}svg .tick{text-anchor:middle;fill:var(--soft)}
svg .start{text-anchor:start}svg .value{fill:var(--soft);font-variant-numeric:tabular-nums}
.grid{stroke:var(--line);fill:none}.zero{stroke:var(--soft);fill:none}
.whisker{stroke:var(--ink);fill:none;opacity:.75}
.s0{fill:var(--c0);background:var(--c0)}.s1{fill:var(--c1);background:var(--c1)}
.s2{fill:var(--c2);background:var(--c2)}.s3{fill:var(--c3);background:var(--c3)}
.s4{fill:var(--c4);background:var(--c4)}.s5{fill:var(--c5);background:var(--c5)}
.l0{stroke:var(--c0)}.l1{stroke:var(--c1)}.l2{stroke:var(--c2)}.l3{stroke:var(--c3)}
.l4{stroke:var(--c4)}.l5{stroke:var(--c5)}polyline{fill:none;stroke-width:1.8}
.up{fill:var(--up)}.down{fill:var(--down)}.noise{fill:var(--noise)}
details{background:var(--box);border-radius:6px;margin:.4em 0;padding:.45em .8em}
summary{cursor:pointer}summary b{font-variant-numeric:tabular-nums;margin-right:.5em}
summary small{display:block;margin-left:1.3em}
code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 1.4em}
@media (max-width:640px){.two{grid-template-columns:1fr}}
ul,ol{margin:.2em 0;padding-left:1.4em}.right code{color:var(--up);font-weight:600}
footer{margin-top:3em;color:var(--soft);font-size:.85rem}
"""
