"""One HTML page that shows a comment about as GitHub does, in the reader's light or dark theme.

Self-contained: no script, no picture, no address is loaded. The style is our own.
"""

from __future__ import annotations

import html

from markdown_it import MarkdownIt

from sidelight_bot.report import ChangeReport

STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --soft: #59636e; --line: #d1d9e0;
  --back: #ffffff; --code: #eff1f3; --block: #f6f8fa; --link: #0969da; }
@media (prefers-color-scheme: dark) { :root { --text: #f0f6fc; --soft: #9198a1; --line: #3d444d;
  --back: #0d1117; --code: #262c36; --block: #151b23; --link: #4493f8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.5 -apple-system,
  BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 900px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 20px; font-weight: 400; margin: 0 0 16px; overflow-wrap: anywhere; }
h1 small { color: var(--soft); font-size: 14px; }
article { border: 1px solid var(--line); border-radius: 6px; overflow-wrap: break-word; }
article > header { background: var(--block); border-bottom: 1px solid var(--line);
  color: var(--soft); padding: 8px 16px; border-radius: 6px 6px 0 0; }
article > div { padding: 16px; }
article > div > :last-child { margin-bottom: 0; }
p, ul, details, pre { margin: 0 0 16px; }
ul { padding-left: 2em; }
li + li, li > p { margin-top: 4px; }
li > p:first-child, li > details, li > ul { margin: 4px 0 0; }
h4 { font-size: 14px; font-weight: 600; margin: 24px 0 16px; line-height: 1.25; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
summary { cursor: pointer; }
code { font: 85% ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--code); border-radius: 6px; padding: .2em .4em;
  white-space: break-spaces; }
pre { background: var(--block); border-radius: 6px; padding: 16px; overflow: auto;
  line-height: 1.45; }
details[open] > pre { margin: 8px 0 0; }
sub { font-size: 75%; line-height: 1.6; color: var(--soft); vertical-align: baseline; }
"""


def render_page(comment: str, report: ChangeReport) -> str:
    """Return the page of a comment's Markdown; what is not the comment's is escaped."""
    body = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(comment)
    title = html.escape(report.title or "A change")
    where = html.escape(f"{report.base[:12]} … {report.head[:12]}")
    size = f"{report.n_files} files, +{report.n_added} −{report.n_removed}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        " style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title} <small>{where}, {size}</small></h1>\n"
        f"<article>\n<header>sidelight <small>bot</small></header>\n<div>\n{body}</div>\n"
        "</article>\n</main>\n</body>\n</html>\n"
    )
