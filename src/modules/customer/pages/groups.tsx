import { useState } from 'react'
import { groupActions as actions } from '#commands/customer/groups.ts'
import { segmentKinds, segmentStates } from '#src/areas/segment/segment.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Empty } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { groups as calls, type SegmentRow } from '../contract/groups.ts'
import { emptyDraft, type RuleDraft } from '../parts/ruleDraft.ts'
import { RuleEditor } from '../parts/RuleEditor.tsx'
import { SegmentDetail } from '../parts/SegmentDetail.tsx'
import { segmentColumns } from '../parts/segmentLooks.tsx'

const draftOf = (row: SegmentRow): RuleDraft => ({
  held: { id: row.id, version: row.version },
  name: row.name,
  rule: row.rule ?? emptyDraft.rule,
  exclude_ids: row.exclude_ids,
  names: row.names,
})
/** What the answers of actions are told as. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.sendTo, ({ sent_n, failed_n, no_friend_n }) => {
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
  useResult(actions.grantCoupon, ({ rows }) => {
    toast(
      say(
        [
          '已开始向 {n} 人发券，进度见“我的任务与导出”',
          'Sending coupons to {n}; see My jobs and exports',
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
const Rows = ({ write }: { write: (draft: RuleDraft) => void }) => {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, segmentStates)
  const [importing, setImporting] = useState(false)
  const open = (row: SegmentRow | undefined) => {
    if (row?.kind === 'rule') write(draftOf(row))
  }
  useAction(actions.create, () => write(emptyDraft))
  useAction(actions.edit, ([row]) => open(row as SegmentRow | undefined))
  useAction(actions.preview, () => open(list.focusedRow))
  useAction(actions.import, () => setImporting(true))
  useExport(actions.export, calls.export, {
    filters: ([row]) => ({ segment_id: (row as SegmentRow).id }),
  })
  useTold()
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['客户分群', 'Segments'])}
          columns={segmentColumns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['分群名称或编号', 'Name or number'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={segmentKinds} />
            </>
          }
          empty={
            <Empty title={say(['没有分群', 'No segments'])}>
              <p>
                <Keyed
                  text={['按 {add} 新增一个。', '{add} makes one.']}
                  by={{ add: actions.create }}
                />
              </p>
            </Empty>
          }
        />
        <Chosen of={list} none={say(['选择一个分群', 'Choose a segment'])}>
          {row => <SegmentDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '每行把一位会员加入一个静态名单；名单不存在时自动新建，重复的会员只计一次。',
            'Each line adds a member to a fixed list; missing lists are created and repeated members count once.',
          ]}
          close={() => setImporting(false)}
        />
      )}
    </>
  )
}

/** Segments: audiences that are built once, and used for texts and coupons. */
export default function Groups() {
  const [writing, write] = usePaneState<RuleDraft | null>('writing', null)
  const close = () => write(null)
  if (writing === null) return <Rows write={write} />
  return <RuleEditor key={writing.held?.id ?? 0} began={writing} close={close} saved={close} />
}
