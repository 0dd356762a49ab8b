import { useCallback, useState } from 'react'
import { accountActions as actions } from '#commands/user/list.ts'
import { accountStates, registerSources, sanctionKinds } from '#src/areas/member/member.ts'
import { idColumn, textColumn, timeColumn, Words } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { accountsPage as calls, type AccountRow } from '../contract/list.ts'
import { AccountDetail } from '../parts/AccountDetail.tsx'
import { SanctionsOf, StateOf } from '../parts/accountLooks.tsx'

const columns: readonly Column<AccountRow>[] = [
  { ...textColumn('nickname', ['昵称', 'Nickname'], 130), grow: true },
  { key: 'state', title: ['状态', 'State'], width: 92, cell: row => <StateOf row={row} /> },
  {
    key: 'sanctions',
    title: ['生效处罚', 'Sanctions'],
    width: 140,
    priority: 1,
    cell: row => <SanctionsOf row={row} />,
    words: (row, say) => row.sanctions.map(one => say(sanctionKinds[one.kind])).join(' '),
  },
  { ...textColumn('uid', ['会员号', 'Number'], 112), priority: 2 },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    priority: 2,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
  {
    key: 'bound',
    title: ['微信', 'WeChat'],
    width: 72,
    priority: 3,
    cell: row => <Words of={row.bound ? ['已绑定', 'Bound'] : ['未绑定', 'Not bound']} />,
  },
  { ...textColumn('city_name', ['城市', 'City'], 64), priority: 3 },
  {
    key: 'register_source',
    title: ['来源', 'Source'],
    width: 84,
    priority: 3,
    cell: row => <Words of={registerSources[row.register_source]} />,
  },
  { ...timeColumn('last_visit_at', ['最近访问', 'Last visit'], 104), priority: 2 },
  {
    key: 'shared',
    title: ['同设备账号', 'Same device'],
    width: 92,
    align: 'end',
    priority: 2,
    cell: row =>
      row.shared > 0 ? <Badge tone="warn">{row.shared}</Badge> : <span className="m-num">0</span>,
  },
  { ...timeColumn('register_at', ['注册时间', 'Joined'], 104), priority: 4 },
  idColumn,
]
const { normal: _, ...tabWords } = accountStates

/** Accounts behind members: what they may do, and what staff do about it. */
export default function AccountsPage() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const [told, setTold] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setTold(undefined), [])
  useResult(actions.viewPhone, ({ id, phone: value, seconds, left }) => {
    const of = list.rows.find(one => one.id === id)?.nickname ?? ''
    setTold({ label: ['手机号', 'Phone'], of, value, seconds, left })
    return true
  })
  useResult(actions.exportData, ({ rows_expected: n }) => {
    toast(
      say(
        [
          '已开始导出 {n} 行，完成后在右上角“我的任务与导出”下载',
          'Exporting {n} rows; the file will be in My jobs and exports, top right',
        ],
        { n },
      ),
      'success',
    )
    return true
  })
  const tabs = useCountedTabs('state', calls.lst, tabWords)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['用户账号', 'User accounts'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['手机号、会员号或昵称开头', 'Phone, number or nickname'])}
              />
              <CityFilter of={list} />
              <Choice
                of={list}
                by="sanction"
                label={say(['生效处罚', 'Sanction'])}
                words={sanctionKinds}
              />
              <Choice
                of={list}
                by="register_source"
                label={say(['注册来源', 'Source'])}
                words={registerSources}
              />
              <Toggle of={list} by="unbound" label={say(['未绑定微信', 'No WeChat'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个账号', 'Choose an account'])}>
          {row => <AccountDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {told && <RevealDialog of={told} close={hide} />}
    </>
  )
}
