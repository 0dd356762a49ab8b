import type { treeCalls } from '#src/contract/tree.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import type { PutAt } from '#src/domain/tree.ts'
import { ask, type Told } from './command.ts'
import { asking, idOf, one, reason, rowActions } from './record.ts'

/** The actions that every tree has, under the words and keys that they have everywhere. */
type Row = { id: number; version: number; parent_id: number | null; level: number }
type Put<R> = R & { put?: PutAt }
type Calls = ReturnType<typeof treeCalls>
type Place = { full_name: string; effect: string }

const labelOf = ({ full_name, effect }: Place, lang: Lang) =>
  `${full_name}${say(aside, lang, { it: effect })}`
/**
 * Asks under which row a new one is to stand, beginning with the place that the page offers; without
 * an answer it stands at the top.
 */
export const askParent = (calls: Calls) =>
  ask.entity({
    label: ['上级', 'Under'],
    find: calls.places,
    given: () => ({ to: 'under' }),
    labelOf: (row: Place) => row.full_name,
    field: 'parent_id',
    optional: true,
    hint: ['留空为最上级', 'Empty: the top'],
    initial: rows => (rows[0] as Put<object> | undefined)?.put?.parent_id ?? undefined,
    named: rows => (rows[0] as Put<object> | undefined)?.put?.name,
  })
/** What moves, merges and deletes the rows of a tree. */
export const treeActions = <R extends Row>(
  row: ReturnType<typeof rowActions<R>>,
  calls: Calls,
  of: {
    /** What the merge of a row moves. */
    tells: (rows: readonly R[]) => Told
    /** Why a row can't be deleted, where that is known. */
    mayDelete: (row: R) => true | Text
  },
) => ({
  move: row.row(calls.move, ['移动到', 'Move to'], {
    key: 'm',
    tells: rows => {
      const put = (rows[0] as Put<R> | undefined)?.put
      return put && [['将移到：{name}', 'It moves to: {name}'], { name: put.name }]
    },
    asks: {
      parent: ask.entity({
        label: ['上级', 'Under'],
        find: calls.places,
        given: rows => ({ to: 'under', id: rows[0]?.id }),
        labelOf,
        field: 'parent_id',
        optional: true,
        hint: ['留空为最上级', 'Empty: the top'],
        initial: rows => ((rows[0] as Put<R>).put ?? rows[0])?.parent_id ?? undefined,
        named: rows => ((rows[0] as Put<R>).put?.name ?? rows[0]?.parent_name) || undefined,
      }),
      sort: ask.number({
        label: ['排在第几', 'Place among its siblings'],
        min: 1,
        max: 9999,
        optional: true,
        hint: ['留空排在最后', 'Empty: at the end'],
        initial: rows => {
          const put = (rows[0] as Put<R>).put
          return put && put.sort + 1
        },
      }),
    },
    input: asking(({ parent, sort }) => ({
      ...(parent && { parent_id: parent }),
      ...(sort && { sort: sort - 1 }),
    })),
  }),
  mergeInto: row.row(calls.mergeInto, ['合并到', 'Merge into'], {
    key: 'shift+m',
    danger: true,
    tells: of.tells,
    asks: {
      target: ask.entity({
        label: ['合并到', 'Into'],
        find: calls.places,
        given: rows => ({ to: 'merge', ...idOf(rows) }),
        labelOf,
        field: 'merged_into',
        none: ['没有可以合并到的分类', 'There is nothing that it can be merged into'],
      }),
      reason,
    },
    input: (rows, { target, reason: why }) => ({ ...one(rows), target_id: target, reason: why }),
  }),
  del: row.del(calls.del, ['删除分类', 'Delete category'], { when: of.mayDelete }),
})
