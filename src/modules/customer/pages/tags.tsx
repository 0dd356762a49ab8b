import { ask } from '#commands/command.ts'
import { customerTagActions as actions } from '#commands/customer/tags.ts'
import { TAGS_MOST } from '#src/areas/wecom/tagging.ts'
import { useRead } from '#src/kit/data.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSubmitted, useSyncTold } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { TreePage } from '#src/kit/treepage.tsx'
import { SyncState } from '#src/kit/wecom.tsx'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { customerTags as calls, type TagRow } from '../contract/tags.ts'
import { GroupDetail, TagDetail, TagMarks } from '../parts/TagDetail.tsx'

const below = (all: readonly TagRow[], group: TagRow): TagRow[] =>
  all.filter(one => one.parent_id === group.id)
/** A name that no other tag of the group is written like. */
const entryOf = (tag: TagRow): string => (tag.twin ? `${tag.name} #${tag.id}` : tag.name)
/** Asks for the order of a group's tags, as they stand now. */
const useOrder = (all: readonly TagRow[]) => {
  const pane = usePane()
  const { run } = useWorkbench()
  useAction(actions.sort, ([asked]) => {
    const group = asked as TagRow | undefined
    if (group?.is !== 'group') return
    const tags = below(all, group)
    const asking = {
      ...actions.sort,
      asks: {
        order: ask.order({
          label: ['从先到后（Alt+↑ Alt+↓ 移动）', 'First to last (Alt+↑ Alt+↓ moves)'],
          initial: () => tags.map(entryOf),
        }),
      },
      input: (_: unknown, { order }: { order: string[] }) => ({
        group_id: group.of,
        ids: order.flatMap(text => tags.find(tag => entryOf(tag) === text)?.id ?? []),
      }),
    }
    void run(asking, [group], { pane: pane.id })
  })
}
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useSyncTold(actions.sync)
  useSubmitted(actions.create)
  useSubmitted(actions.createGroup)
  useSubmitted(actions.rename)
  useSubmitted(actions.renameGroup)
  useSubmitted(actions.move)
  useSubmitted(actions.sort)
  useSubmitted(actions.del)
  useResult(actions.merge, ({ moved }) => {
    toast(
      say(
        [
          '已提交合并，{n} 位客户的标签迁移后生效',
          'Merge submitted; moving the tags of {n} customers',
        ],
        {
          n: moved,
        },
      ),
      'success',
    )
    return true
  })
  useResult(actions.runRule, ({ rows }) => {
    toast(
      say(
        [
          '已开始回溯 {n} 位客户，进度见“我的任务与导出”',
          'Applying the rule to {n} customers; see My jobs and exports',
        ],
        {
          n: rows,
        },
      ),
      'success',
    )
    return true
  })
}

/** The corp's tags: what near-doubles become one, in what order they stand, what gives them. */
export default function CustomerTagsPage() {
  const say = useSay()
  const read = useRead(calls.lst, {})
  const state = useRead(calls.state, {}).data ?? { run: null, done: null }
  const all = read.data?.list ?? []
  useOrder(all)
  useTold()
  return (
    <TreePage
      name="tags"
      label={say(['客户标签', 'Customer tags'])}
      read={read}
      actions={Object.values(actions)}
      top={<SyncState of={state} />}
      wordsOf={row => `${row.name} ${row.is === 'tag' ? row.group_name : ''}`}
      draw={row => (
        <>
          <span className={row.state === 'invalid' ? 'm-muted' : undefined}>{row.name}</span>{' '}
          {row.rule?.on && <Badge>{say(['自动', 'Rule'])}</Badge>} <TagMarks row={row} />
        </>
      )}
      figures={[
        {
          key: 'customers',
          title: ['客户', 'Customers'],
          width: 64,
          cell: row => (row.is === 'tag' ? row.customers.toLocaleString('en-US') : ''),
        },
        {
          key: 'fresh',
          title: ['近 30 天', '30 days'],
          width: 64,
          cell: row => (row.is === 'tag' ? row.fresh.toLocaleString('en-US') : ''),
        },
        {
          key: 'uses',
          title: ['使用', 'Used'],
          width: 48,
          cell: row => (row.is === 'tag' ? row.uses.length : ''),
        },
      ]}
      sum={rows =>
        say(['{g} 组 {n} / {most} 个标签', '{g} groups, {n} of {most} tags'], {
          g: rows.filter(row => row.is === 'group').length,
          n: rows.filter(row => row.is === 'tag').length,
          most: TAGS_MOST.toLocaleString('en-US'),
        })
      }
      none={say(['选择一个标签组或标签', 'Choose a group or a tag'])}
    >
      {row =>
        row.is === 'group' ? (
          <GroupDetail row={row} tags={below(all, row)} />
        ) : (
          <TagDetail row={row} />
        )
      }
    </TreePage>
  )
}
