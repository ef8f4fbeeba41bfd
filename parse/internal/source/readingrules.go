package source

import "slices"

// ReadingRules are what can be wrong with a file of any format.
var ReadingRules = []Rule{
	anyFile("text.empty", Warning, Error, "A handoff says something.",
		"Write the handoff, or remove the empty file."),
	anyFile("text.utf16", Warning, Error, "Text is UTF-8.",
		"Save the file as UTF-8: other readers may not know UTF-16."),
	anyFile("text.invalid-utf8", Warning, Error, "Text is UTF-8.",
		"Convert the file to UTF-8, for example with iconv -f CP1252 -t UTF-8; if it was damaged, restore it from an earlier version."),
	anyFile("text.nul", Warning, Error, "Text holds no NUL bytes.",
		"Remove the NUL bytes: a file that holds them may be damaged."),
	anyFile("text.too-large", Warning, Error, "A file has at most 4 MiB of text.",
		"Split the file: what stands behind the limit is not searched."),
	anyFile("frontmatter.unclosed", Warning, Error, "Frontmatter ends with a line \"---\".",
		"Add a line \"---\" below the last key."),
	anyFile("markdown.unclosed-fence", Warning, Error, "A code fence is closed.",
		"Close the code with a line of the same marks, or remove a fence line without a partner. Around text that holds fences use more marks."),
	anyFile("markdown.too-many-headings", Warning, Error, "A file has at most 2,000 headings.",
		"Split the file: later headings count as text."),
	anyFile("markdown.too-large", Warning, Error, "Headings stand in the first MiB.",
		"Split the file: later headings count as text."),
	anyFile("yaml.syntax", Error, Error, "The file, or its frontmatter, is YAML.",
		"Put values that hold \": \", \" #\" or begin with a sign in quotes; indent with spaces."),
	anyFile("yaml.dup-key", Warning, Error, "A key stands once in a mapping.",
		"Keep one of the entries."),
	anyFile("yaml.comment-in-value", Warning, Warning, "What is meant as text is not a comment.",
		"Put the value in quotes; a comment has a blank behind its \"#\"."),
	anyFile("yaml.alias", Warning, Error, "Values are written out.",
		"Write the value in place of the alias: it is not followed."),
	anyFile("yaml.tag", Warning, Error, "Values need no tag of a program.",
		"Remove the tag."),
	anyFile("yaml.multi-doc", Warning, Warning, "A file is one document, or a header and one.",
		"Keep the documents in files of their own."),
	anyFile("yaml.depth", Warning, Error, "YAML nests at most 32 deep.",
		"Flatten the file."),
	anyFile("yaml.too-large", Warning, Error,
		"YAML has at most 256 KiB, 1,000 keys in a mapping, 10,000 list items and 1,000 documents.",
		"Split the file: over the limit it is read line by line."),
	anyFile("json.syntax", Error, Error, "The file is JSON.",
		"Mend the syntax at the place shown: quotes around keys, no comments, no comma behind the last element."),
	anyFile("json.dup-key", Warning, Error, "A key stands once in an object.",
		"Keep one of the entries."),
	anyFile("json.trailing", Warning, Error, "A file is one JSON value.",
		"Put the values into one array, or keep each in a file of its own."),
	anyFile("json.depth", Warning, Error, "JSON nests at most 64 deep.",
		"Flatten the file."),
	anyFile("json.too-large", Warning, Error, "JSON has at most 1 MiB and 100,000 values.",
		"Split the file: over the limit only the outermost pairs are read."),
	anyFile("xml.not-well-formed", Warning, Error, "The file is well-formed XML.",
		"Write & as &amp; and < as &lt; in text, close every tag, and keep all text inside the outermost one."),
	anyFile("xml.unclosed", Warning, Error, "Every tag is closed.",
		"Add the closing tag where the section ends."),
	anyFile("xml.dup-tag", Warning, Error, "A section stands once.",
		"Join the sections."),
	anyFile("xml.doctype", Warning, Error, "The file has no DOCTYPE.",
		"Remove the DOCTYPE and write out its entities: they are not followed."),
	anyFile("xml.depth", Warning, Error, "XML nests at most 64 deep.",
		"Flatten the file."),
	anyFile("xml.too-large", Warning, Error, "XML has at most 1 MiB and 100,000 tags and texts.",
		"Split the file: over the limit it is read by its tags alone."),
	anyFile("neighbour-unread", Warning, Warning, "The files a handoff names can be read.",
		"Give the user who searches the right to read them."),
	anyFile("parser-panic", Error, Error, "The parser copes with every file.",
		"Report the fault with the file, if it may be shown: its text stays searchable."),
}

// anyFile returns a rule for files of any format.
func anyFile(id string, severity, strict Severity, about, fix string) Rule {
	return Rule{id, severity, strict, about, fix, "handex"}
}

// readingRule returns the row of an ID.
func readingRule(id string) Rule {
	return ReadingRules[slices.IndexFunc(ReadingRules, func(r Rule) bool { return r.ID == id })]
}
