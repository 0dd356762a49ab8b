import { ask, type Ask, type Asks } from '#commands/command.ts'
import {
  fieldsNow,
  type Block,
  type BlockField,
  type BlockLink,
  type BlockProps,
} from '#src/areas/scheme/blocks.ts'
import type { PageKey } from '#src/areas/scheme/pageKey.ts'
import type { Read } from '#src/contract/call.ts'

/** How a link is asked for everywhere: its questions, and what their answers come to. */
export type Links = { asks: Asks; linked: (asked: never) => BlockLink }
type Row = {
  key: PageKey
  names: Readonly<Record<number, string>>
  link_name: string
} & Partial<BlockLink>
const common = ({ label, hint, optional }: BlockField) => ({
  label,
  ...(hint && { hint }),
  ...(optional && { optional }),
})
/** How one property is asked for. */
const askOf = (field: BlockField, goods: Read): Ask => {
  switch (field.kind) {
    case 'text':
      return ask.text({
        ...common(field),
        max: field.max,
        ...(field.lines && { lines: field.lines }),
      })
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
        find: goods,
        labelOf: row => `${row.name} · ${row.note}`,
        given: ([row]) => (row as Row).key,
        named: ([row]) => (row as Row).names,
      })
  }
}
const isOfLink = (links: Links, name: string): boolean => name in links.asks
/** The questions of a block's form, in their order; a link is asked for as it is everywhere. */
export const asksOf = (block: Block, links: Links, goods: Read): Asks =>
  Object.fromEntries(
    fieldsNow(block).flatMap(([name, field]): [string, Ask][] =>
      field.kind === 'link'
        ? Object.entries(links.asks).map(([key, of]): [string, Ask] => [
            key,
            key === 'page_link_id' && field.optional ? { ...of, optional: true } : of,
          ])
        : [[name, askOf(field, goods)]],
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
export const propertyOf = (links: Links, name: string): string =>
  isOfLink(links, name) ? 'link' : name
/** The properties after one answer, where `answers` has it already. */
export const propsAfter = (
  props: BlockProps,
  name: string,
  { answers, links }: { answers: Readonly<Record<string, unknown>>; links: Links },
): BlockProps => {
  const property = propertyOf(links, name)
  const value = ((): unknown => {
    if (property === 'link')
      return answers['page_link_id'] ? links.linked(answers as never) : undefined
    return name === 'image' ? (answers[name] as string[] | undefined)?.[0] : answers[name]
  })()
  const { [property]: _, ...rest } = props
  return value === undefined || value === null ? rest : { ...rest, [property]: value as never }
}
