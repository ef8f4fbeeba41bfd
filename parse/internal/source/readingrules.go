package source

// ReadingRules are what can be wrong with a file of any format.
var ReadingRules = []Rule{
	{
		"text.empty", Warning, Error, "A handoff says something.",
		"Write the handoff, or remove the empty file.", "handex",
	},
	{
		"text.utf16", Warning, Error, "Text is UTF-8.",
		"Save the file as UTF-8: other readers may not know UTF-16.", "handex",
	},
	{
		"text.invalid-utf8", Warning, Error, "Text is UTF-8.",
		"Save the file as UTF-8: the bytes that are not cannot be searched.", "handex",
	},
	{
		"text.nul", Warning, Error, "Text holds no NUL bytes.",
		"Remove the NUL bytes: a file that holds them may be damaged.", "handex",
	},
	{
		"text.too-large", Warning, Error, "A file has at most 4 MiB of text.",
		"Split the file: what stands behind the limit is not searched.", "handex",
	},
	{
		"frontmatter.unclosed", Warning, Error, "Frontmatter ends with a line \"---\".",
		"Add a line \"---\" below the last key.", "handex",
	},
	{
		"markdown.unclosed-fence", Warning, Error, "A code fence is closed.",
		"Add a line of the same marks where the code ends.", "handex",
	},
	{
		"markdown.too-many-headings", Warning, Error, "A file has at most 2,000 headings.",
		"Split the file: later headings count as text.", "handex",
	},
	{
		"markdown.too-large", Warning, Error, "Headings stand in the first MiB.",
		"Split the file: later headings count as text.", "handex",
	},
	{
		"yaml.syntax", Error, Error, "The file, or its frontmatter, is YAML.",
		"Put values that hold \": \", \" #\" or begin with a sign in quotes; indent with spaces.", "handex",
	},
	{
		"yaml.dup-key", Warning, Error, "A key stands once in a mapping.",
		"Keep one of the entries.", "handex",
	},
	{
		"yaml.comment-in-value", Warning, Warning, "What is meant as text is not a comment.",
		"Put the value in quotes; a comment has a blank behind its \"#\".", "handex",
	},
	{
		"yaml.alias", Warning, Error, "Values are written out.",
		"Write the value in place of the alias: it is not followed.", "handex",
	},
	{
		"yaml.tag", Warning, Error, "Values need no tag of a program.",
		"Remove the tag.", "handex",
	},
	{
		"yaml.multi-doc", Warning, Warning, "A file is one document, or a header and one.",
		"Keep the documents in files of their own.", "handex",
	},
	{
		"yaml.depth", Warning, Error, "YAML nests at most 32 deep.",
		"Flatten the file.", "handex",
	},
	{
		"yaml.too-large", Warning, Error, "YAML has at most 256 KiB, 1,000 keys in a mapping, 10,000 list items and 1,000 documents.",
		"Split the file: over the limit it is read line by line.", "handex",
	},
	{
		"json.syntax", Error, Error, "The file is JSON.",
		"Mend the syntax at the place shown: quotes around keys, no comments, no comma behind the last element.", "handex",
	},
	{
		"json.dup-key", Warning, Error, "A key stands once in an object.",
		"Keep one of the entries.", "handex",
	},
	{
		"json.trailing", Warning, Error, "A file is one JSON value.",
		"Keep the values in files of their own.", "handex",
	},
	{
		"json.depth", Warning, Error, "JSON nests at most 64 deep.",
		"Flatten the file.", "handex",
	},
	{
		"json.too-large", Warning, Error, "JSON has at most 1 MiB and 100,000 values.",
		"Split the file: over the limit only the outermost pairs are read.", "handex",
	},
	{
		"xml.not-well-formed", Warning, Error, "The file is well-formed XML.",
		"Write & as &amp; and < as &lt; in text, and close every tag.", "handex",
	},
	{
		"xml.unclosed", Warning, Error, "Every tag is closed.",
		"Add the closing tag where the section ends.", "handex",
	},
	{
		"xml.dup-tag", Warning, Error, "A section stands once.",
		"Join the sections.", "handex",
	},
	{
		"xml.doctype", Warning, Error, "The file has no DOCTYPE.",
		"Remove the DOCTYPE and write out its entities: they are not followed.", "handex",
	},
	{
		"xml.depth", Warning, Error, "XML nests at most 64 deep.",
		"Flatten the file.", "handex",
	},
	{
		"xml.too-large", Warning, Error, "XML has at most 1 MiB and 100,000 tags and texts.",
		"Split the file: over the limit it is read by its tags alone.", "handex",
	},
	{
		"neighbour-unread", Warning, Warning, "The files a handoff names can be read.",
		"Give the user who searches the right to read them.", "handex",
	},
	{
		"parser-panic", Error, Error, "The parser copes with every file.",
		"Report the fault with the file, if it may be shown: its text stays searchable.", "handex",
	},
}

// readingRule is the row of an ID.
func readingRule(id string) Rule {
	for _, r := range ReadingRules {
		if r.ID == id {
			return r
		}
	}
	return Rule{}
}
