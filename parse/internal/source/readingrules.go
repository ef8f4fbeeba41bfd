package source

// ReadingRules are what can be wrong with a file of any format.
var ReadingRules = []Rule{
	anyFile("text.empty", "A handoff is not empty.", "Write the handoff, or remove the empty file."),
	anyFile("text.utf16", "Text is UTF-8.", "Save the file as UTF-8: other readers may not know UTF-16."),
	anyFile("text.invalid-utf8", "Text is UTF-8.",
		"Convert the file to UTF-8, for example with iconv -f CP1252 -t UTF-8; if it was damaged, restore it from "+
			"an earlier version."),
	anyFile("text.nul", "Text contains no NUL bytes.",
		"Remove the NUL bytes: a file that contains them may be damaged."),
	anyFile("text.too-large", "A file has at most 4 MiB of text.",
		"Split the file: text after the limit is not indexed."),
	anyFile("frontmatter.unclosed", "Frontmatter ends with a line \"---\".", "Add a line \"---\" below the last key."),
	anyFile("markdown.unclosed-fence", "A code fence is closed.",
		"Close the code with a line of the same marks, or remove the unpaired fence line. Use a longer fence "+
			"around text that contains fences."),
	anyFile("markdown.too-many-headings", "A file has at most 2,000 headings.",
		"Split the file: later headings are read as text."),
	anyFile("markdown.too-large", "Headings are in the first MiB.",
		"Split the file: later headings are read as text."),
	newRule("yaml.syntax", Error, Error, "The file, or its frontmatter, is valid YAML.",
		"Quote values that contain \": \" or \" #\" or begin with a special character; indent with spaces."),
	anyFile("yaml.dup-key", "A key occurs once in a mapping.", "Keep one of the entries."),
	newRule("yaml.comment-in-value", Warning, Warning, "A \"#\" in a value does not begin a comment.",
		"Quote the value, or write a space after the \"#\" of a comment."),
	anyFile("yaml.alias", "Values are not aliases.",
		"Write the value in place of the alias: handex does not follow aliases."),
	anyFile("yaml.tag", "Values have no application tags.", "Remove the tag."),
	newRule("yaml.multi-doc", Warning, Warning, "A file has one document, or a header and one document.",
		"Write each document to its own file."),
	anyFile("yaml.depth", "YAML is nested at most 32 levels deep.", "Flatten the file."),
	anyFile("yaml.too-large",
		"YAML has at most 256 KiB, 1,000 keys in a mapping, 10,000 list items and 1,000 documents.",
		"Split the file: above the limit it is read line by line."),
	newRule("json.syntax", Error, Error, "The file is valid JSON.",
		"Correct the syntax here: quotes around keys, no comments, no comma after the last element."),
	anyFile("json.dup-key", "A key occurs once in an object.", "Keep one of the entries."),
	anyFile("json.trailing", "A file has one JSON value.",
		"Put the values into one array, or write each to its own file."),
	anyFile("json.depth", "JSON is nested at most 64 levels deep.", "Flatten the file."),
	anyFile("json.too-large", "JSON has at most 1 MiB and 100,000 values.",
		"Split the file: above the limit only the outermost pairs are read."),
	anyFile("xml.not-well-formed", "The file is well-formed XML.",
		"Write & as &amp; and < as &lt; in text, close every tag, and keep all text inside the root element."),
	anyFile("xml.unclosed", "Every tag is closed.", "Add the closing tag where the section ends."),
	anyFile("xml.dup-tag", "A section occurs once.", "Merge the sections."),
	anyFile("xml.doctype", "The file has no DOCTYPE.",
		"Remove the DOCTYPE and replace its entities with their text: handex does not expand them."),
	anyFile("xml.depth", "XML is nested at most 64 levels deep.", "Flatten the file."),
	anyFile("xml.too-large", "XML has at most 1 MiB and 100,000 tags and texts.",
		"Split the file: above the limit only its section tags are read."),
	newRule("neighbour-unread", Warning, Warning, "The files that a handoff names can be read.",
		"Allow the user who runs handex to read them."),
	newRule("parser-panic", Error, Error, "The parser can read every file.",
		"Report this bug, with the file if you can share it. Its text is searchable."),
}

// anyFile returns a rule for files of any format: a warning for a file that is found, an
// error for one that is about to be written.
func anyFile(id, about, fix string) Rule { return newRule(id, Warning, Error, about, fix) }

func newRule(id string, severity, strict Severity, about, fix string) Rule {
	return Rule{id, severity, strict, about, fix, "handex"}
}
