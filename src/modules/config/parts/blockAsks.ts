import { ask, type Ask, type Asks } from '#commands/command.ts'
import { linkAsks, linked } from '#commands/system/link.ts'
import {
  fieldsNow,
  type Block,
  type BlockField,
  type BlockLink,
  type BlockProps,
} from '#src/areas/scheme/blocks.ts'
import { linkObjects } from '#src/contract/link.ts'

type Row = {
  city_id: number
  names: Readonly<Record<number, string>>
  link_name: string
} & Partial<BlockLink>
const common = ({ label, hint, optional }: BlockField) => ({
  label,
  ...(hint && { hint }),
  ...(optional && { optional }),
})
/** How one property is asked for. */
const askOf = (field: BlockField): Ask => {
  switch (field.kind) {
    case 'text':
      return ask.text({ ...common(field), max: field.max })
    case 'number':
      return ask.number({ ...common(field), min: field.min, max: field.max })
    case 'choice':
      return ask.choice({ ...common(field), options: field.options })
    case 'image':
      return ask.images({ ...common(field), max: 1, maxBytes: 500 * 1024 })
    default:
      return ask.entities({
        ...common(field),
        max: field.kind === 'products' ? field.max : 1,
        find: linkObjects,
        labelOf: row => row.name,
        given: ([row]) => ({ target: 'product', city_id: (row as Row).city_id }),
        named: ([row]) => (row as Row).names,
      })
  }
}
const isOfLink = (name: string): boolean => name in linkAsks
/** The questions of a block's form, in their order; a link is asked for as it is everywhere. */
export const asksOf = (block: Block): Asks =>
  Object.fromEntries(
    fieldsNow(block).flatMap(([name, field]): [string, Ask][] =>
      field.kind === 'link'
        ? Object.entries(linkAsks).map(([key, of]) => [
            key,
            key === 'page_link_id' && field.optional ? { ...of, optional: true } : of,
          ])
        : [[name, askOf(field)]],
    ),
  )
/** What the questions begin with. */
export const answersOf = ({ props }: Block): Record<string, unknown> => {
  const { link, image, ...rest } = props
  return {
    ...rest,
    ...(typeof image === 'string' && image !== '' && { image: [image] }),
    ...(link as object),
  }
}
/** The property that a question sets. */
export const propertyOf = (name: string): string => (isOfLink(name) ? 'link' : name)
/** The properties after one answer, where `answers` has it already. */
export const propsAfter = (
  props: BlockProps,
  name: string,
  answers: Readonly<Record<string, unknown>>,
): BlockProps => {
  const property = propertyOf(name)
  const value = ((): unknown => {
    if (property === 'link')
      return answers['page_link_id'] ? linked(answers as Parameters<typeof linked>[0]) : undefined
    return name === 'image' ? (answers[name] as string[] | undefined)?.[0] : answers[name]
  })()
  const { [property]: _, ...rest } = props
  return value === undefined || value === null ? rest : { ...rest, [property]: value as never }
}
