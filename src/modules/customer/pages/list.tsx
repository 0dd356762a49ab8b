import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { ask, type Ask } from '#commands/command.ts'
import { customerListActions as actions } from '#commands/customer/list.ts'
import { attrField, attrValue, ATTR_TEXT_MAX } from '#src/areas/customerAttr/customerAttr.ts'
import { boundStates, fileStates, tagAsks } from '#src/areas/wecom/customerFiles.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { colon, comma, type Text } from '#src/domain/text.ts'
import { Among } from '#src/kit/among.tsx'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSubmitted, useSyncTold } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { countedOf, filtersOf, useList, type ListState } from '#src/kit/uselist.ts'
import { SyncState } from '#src/kit/wecom.tsx'
import { useAction, useAnswered, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { customerList as calls, type CustomerAttr, type FileRow } from '../contract/list.ts'
import { FileDetail } from '../parts/FileDetail.tsx'
import { fileColumns } from '../parts/fileLooks.tsx'

type Files = ListState<FileRow>
type Names = Readonly<Record<number, string>>

/** The tags that the list is asked for: chosen by an action, named on a button, let go beside it. */
const TagFilter = ({ of }: { of: Files }) => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  const { tag_ids, tags_how = 'any' } = of.input as {
    tag_ids?: number[]
    tags_how?: keyof typeof tagAsks
  }
  const known = useRead(calls.tags, tag_ids ? { page: 1, pageSize: 200 } : skipToken).data?.list
  const names: Names = Object.fromEntries((known ?? []).map(tag => [tag.id, tag.name]))
  const choose = () => {
    const on = { is: 'filter', title: say(['按标签筛选', 'Filter by tags']) }
    void run(actions.filterTags, [], { pane: pane.id, on: { ...on, tag_ids, tags_how, names } })
  }
  useAction(actions.filterTags, choose)
  useAnswered(actions.filterTags, answers => {
    const ids = (answers['tag_ids'] as number[] | undefined) ?? []
    of.filter({
      tag_ids: ids.length > 0 ? ids.join(',') : undefined,
      tags_how: ids.length > 0 ? answers['tags_how'] : undefined,
    })
  })
  return (
    <span className="m-among">
      <Button
        size="small"
        variant="outlined"
        active={tag_ids !== undefined}
        data-command={actions.filterTags.id}
        onClick={choose}
      >
        {tag_ids === undefined
          ? say(['标签', 'Tags'])
          : `${say(tagAsks[tags_how])}${say(colon)}${tag_ids.map(id => names[id] ?? `#${id}`).join(say(comma))}`}
      </Button>
      {tag_ids !== undefined && (
        <Button
          size="small"
          variant="minimal"
          icon={<Cross />}
          aria-label={say(['清除标签', 'Clear tags'])}
          onClick={() => of.filter({ tag_ids: undefined, tags_how: undefined })}
        />
      )}
    </span>
  )
}
/** The question about an attribute, which begins with what is noted. */
const attrAsk = (of: CustomerAttr): Ask => {
  const label: Text = [of.label, of.label]
  if (of.type === 'choice')
    return ask.choice({
      label,
      optional: true,
      options: Object.fromEntries(of.options.map(one => [one.key, [one.label, one.label]])),
      initial: () => of.value || undefined,
    })
  return ask.text({
    label,
    max: ATTR_TEXT_MAX,
    optional: true,
    initial: () => of.value,
    check: typed => {
      const kept = attrValue(of, typed)
      return 'fault' in kept ? kept.fault : undefined
    },
    ...(of.type === 'date' && { hint: ['如 2026-03-09', 'Such as 2026-03-09'] as const }),
  })
}
/** Asks about the attributes of the customer in focus, as they are defined now. */
const useAttrs = (list: Files) => {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const row = list.focusedRow
  const { data } = useRead(calls.side, row ? { id: row.id } : skipToken)
  useAction(actions.saveAttrs, ([asked]) => {
    const of = asked as FileRow | undefined
    const attrs = (data?.attrs ?? []).filter(one => one.status === 'enabled')
    if (!of || of.id !== data?.id || attrs.length === 0) {
      toast(
        say(['没有可填写的客户属性，请先在客户画像中启用', 'No attributes enabled yet']),
        'warning',
      )
      return
    }
    const asking = {
      ...actions.saveAttrs,
      asks: Object.fromEntries(attrs.map(one => [attrField(one.id), attrAsk(one)])),
      input: (rows: readonly FileRow[], answers: Readonly<Record<string, string | undefined>>) => ({
        id: rows[0]!.id,
        version: rows[0]!.version,
        attrs: attrs.map(one => ({ attr_id: one.id, value: answers[attrField(one.id)] ?? '' })),
      }),
    }
    void run(asking, [of], { pane: pane.id })
  })
}
/** What the answers of actions are told as. */
const useTold = (list: Files) => {
  const say = useSay()
  const pane = usePane()
  const { toast, run } = useWorkbench()
  const told = useBatchTold()
  const sent: readonly [Text, Text] = [
    ['已提交 {n} 位客户，企微确认后生效', '{n} submitted; they take effect once WeCom confirms'],
    ['已提交 {n} 位，{m} 位未提交', '{n} submitted, {m} not'],
  ]
  useResult(actions.addTag, of => told.hear(of, sent))
  useResult(actions.removeTag, of => told.hear(of, sent))
  useResult(actions.transfer, of => told.hear(of, sent))
  useResult(actions.transferResigned, of => told.hear(of, sent))
  useSubmitted(actions.remark)
  useSyncTold(actions.sync)
  useResult(actions.groupSend, ({ sent_n, failed_n, no_friend_n }) => {
    toast(
      say(
        [
          '已创建群发：{n} 人待成员确认，{m} 人不能接收，{k} 人不是企微好友',
          'Broadcast created for {n}; {m} can’t receive it, {k} are not WeCom friends',
        ],
        { n: sent_n, m: failed_n, k: no_friend_n },
      ),
      failed_n > 0 ? 'warning' : 'success',
    )
    return true
  })
  useResult(actions.cancelSend, ({ stopped }) => {
    toast(say(['已取消，{n} 人不再发送', 'Stopped: {n} do not get it'], { n: stopped }), 'success')
    return true
  })
  useAction(actions.saveSegment, () => {
    const on = {
      is: 'filter',
      title: say(['当前筛选', 'Current filters']),
      filters: filtersOf(list),
      counted: countedOf(list),
    }
    void run(actions.saveSegment, [], { pane: pane.id, on })
  })
  return told.shown
}
/** How many there are, and how the sync stands. */
const Counters = () => {
  const say = useSay()
  const counters = useRead(calls.lst, { page: 1, pageSize: 1 }).data?.counters
  const state = useRead(calls.state, {}).data ?? { run: null, done: null }
  return (
    <SyncState of={state}>
      {counters && (
        <>
          <span>
            {say(['跟进关系', 'Relations'])}{' '}
            <b className="m-num">{counters.relations.toLocaleString('en-US')}</b>
          </span>
          <span title={say(['同一 UnionID 只计一人', 'One UnionID is one person'])}>
            {say(['去重客户', 'People'])}{' '}
            <b className="m-num">{counters.people.toLocaleString('en-US')}</b>
          </span>
          <span>
            {say(['今日新增', 'Added today'])} <b className="m-num">{counters.added}</b>
          </span>
          <span>
            {say(['今日流失', 'Lost today'])} <b className="m-num">{counters.lost}</b>
          </span>
        </>
      )}
    </SyncState>
  )
}

/** Everybody in WeChat who added a colleague: whom to tag, to hand over, or to send a text to. */
export default function CustomerListPage() {
  const say = useSay()
  const list = useList(calls.lst)
  const tabs = useCountedTabs('rel', calls.lst, fileStates)
  useExport(actions.export, calls.export, { list })
  useAttrs(list)
  const shown = useTold(list)
  return (
    <div className="cu-page">
      <Counters />
      <ListDetail>
        <List
          of={list}
          label={say(['企微客户档案', 'WeCom contacts'])}
          columns={fileColumns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['昵称开头或会员号', 'Name or number'])} />
              <MallFilter of={list} />
              <TagFilter of={list} />
              <Among
                of={list}
                by="staff_id"
                label={say(['跟进成员', 'Adviser'])}
                find={calls.staff}
                labelOf={(row: { name: string }) => row.name}
              />
              <Among
                of={list}
                by="code_id"
                label={say(['来源活码', 'Live code'])}
                find={calls.codes}
                labelOf={(row: { name: string }) => row.name}
              />
              <Choice
                of={list}
                by="add_way"
                label={say(['添加方式', 'Added via'])}
                words={addWays}
              />
              <Choice
                of={list}
                by="bound"
                label={say(['会员绑定', 'Member'])}
                words={boundStates}
              />
              <Period
                of={list}
                from="from"
                to="to"
                most={3650}
                usual={['添加时间不限', 'Added any time']}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位客户', 'Choose a customer'])}>
          {row => <FileDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {shown}
    </div>
  )
}
