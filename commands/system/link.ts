import { valuesText, valuesTyped } from '#src/areas/link/pageLink.ts'
import { linkObjects, linkOptions } from '#src/contract/link.ts'
import { ask } from '../command.ts'

/**
 * A target from the library, with what it asks for: an object that is picked, or values that are
 * typed.
 */
export const linkAsks = {
  page_link_id: ask.entity({
    label: ['跳转链接', 'Link'],
    find: linkOptions,
    labelOf: row => `${row.name} · ${row.path}`,
    initial: rows => rows[0]?.page_link_id,
    named: rows => rows[0]?.link_name,
  }),
  target: ask.choice({
    label: ['指定跳转对象', 'Target object'],
    optional: true,
    hint: ['链接本身没有绑定对象时选择', 'Choose if the link has no object of its own'],
    options: {
      store: ['门店', 'Store'],
      mall: ['商场', 'Mall'],
      product: ['商品', 'Product'],
      category: ['分类', 'Category'],
      typed: ['自填参数', 'Typed'],
    },
    initial: rows => (Object.keys(rows[0]?.link_params ?? {}).length ? 'typed' : undefined),
  }),
  object: ask.entity({
    label: ['对象', 'Object'],
    shown: answers => answers.target !== undefined && answers.target !== 'typed',
    find: linkObjects,
    labelOf: row => `${row.name}${row.note ? ` · ${row.note}` : ''}`,
    given: (_, answers) => ({ target: answers.target }),
  }),
  link_params: ask.text({
    label: ['参数', 'Values'],
    max: 300,
    shown: answers => answers.target === 'typed',
    hint: ['如 id=17', 'Such as id=17'],
    initial: rows => valuesText(rows[0]?.link_params ?? {}),
    check: typed => (valuesTyped(typed) ? undefined : ['写成 id=17 的形式', 'Such as id=17']),
  }),
}
type Linked = { page_link_id: number; target?: string; object?: number; link_params?: string }
/** A mall's pages call the key `mid`, all others `id`. */
const paramsOf = ({ target, object, link_params }: Linked) => {
  if (target === 'typed') return valuesTyped(link_params ?? '') ?? {}
  return target && object ? { [target === 'mall' ? 'mid' : 'id']: object } : {}
}
/** What was answered to them. */
export const linked = (asked: Linked) => ({
  page_link_id: asked.page_link_id,
  link_params: paramsOf(asked),
})
