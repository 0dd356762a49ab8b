/** Lint rules of this house, for oxlint. */
const iconNames = {
  create: context => ({
    // <Button icon="add"> loads every icon there is at run time (some 100 KB); <Button icon={<Add
    // />}> loads one.
    JSXAttribute(node) {
      const value =
        node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value
      if (
        /^(icon|rightIcon|leftIcon|endIcon)$/.test(node.name.name) &&
        value?.type === 'Literal' &&
        typeof value.value === 'string'
      )
        context.report({
          node,
          message: `An icon by name loads every icon there is. Import the component: icon={<${value.value[0]?.toUpperCase()}${value.value.slice(1)} />}`,
        })
    },
  }),
}
/** Words with which a comment begins that is half a sentence. */
const HALF = /^[\s*]*(?:Of|Who|Told)\b/
const plainComments = {
  create: context => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (HALF.test(comment.value))
          context.report({
            node: comment,
            message: 'A comment is a sentence with a subject and a verb: write it again.',
          })
    },
  }),
}
const describedFaults = {
  create: context => ({
    // A field that is only red tells a screen reader that something is wrong, and not what.
    JSXOpeningElement(node) {
      const names = node.attributes.map(one => one.name?.name)
      if (names.includes('aria-invalid') && !names.includes('aria-describedby'))
        context.report({
          node,
          message: 'A field that may be wrong says what: aria-describedby beside aria-invalid.',
        })
    },
  }),
}
const steadyNames = {
  create: context => ({
    // A search for a row's number finds every title that happens to hold the process's number.
    MemberExpression(node) {
      if (node.object.name === 'process' && node.property.name === 'pid')
        context.report({
          node,
          message:
            'A test has a database of its own: its names need no number of the process, which a search may find by chance.',
        })
    },
  }),
}
export default {
  meta: { name: 'own' },
  rules: {
    'icon-names': iconNames,
    'plain-comments': plainComments,
    'described-faults': describedFaults,
    'steady-names': steadyNames,
  },
}
