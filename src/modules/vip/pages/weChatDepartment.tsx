import { useState, type ComponentProps } from 'react'
import { departmentsPage as page } from '#commands/pages/vip.ts'
import { departmentActions as actions } from '#commands/vip/weChatDepartment.ts'
import { changeKinds, receiveKinds, staffStates } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSyncTold } from '#src/kit/submitted.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { TreePage } from '#src/kit/treepage.tsx'
import { SyncState } from '#src/kit/wecom.tsx'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { departments as calls, type DepartmentRow as Row } from '../contract/weChatDepartment.ts'
import { Changes } from '../parts/WecomSync.tsx'

const figures = [
  {
    key: 'staff',
    title: ['成员', 'People'],
    width: 52,
    cell: row => row.staff_count || '',
  },
  {
    key: 'receivers',
    title: ['可接待', 'Can receive'],
    width: 60,
    cell: row => row.receiver_count || '',
  },
  {
    key: 'customers',
    title: ['客户', 'Customers'],
    width: 72,
    cell: row => row.customer_count,
  },
] as const satisfies ComponentProps<typeof TreePage<Row>>['figures']

const Line = ({ of }: { of: Row }) => {
  const say = useSay()
  return (
    <>
      <span className={of.is_deleted ? 'm-name m-muted' : 'm-name'}>
        {of.level === 1 ? <b>{of.name}</b> : of.name}
      </span>
      {of.is_deleted && <Badge>{say(['企微已删除', 'Removed in WeCom'])}</Badge>}
      {of.malls.map(mall => (
        <Badge key={mall.mid}>
          {mall.priority > 1
            ? say(['{name} 优先级 {n}', '{name}, no. {n}'], { name: mall.name, n: mall.priority })
            : mall.name}
        </Badge>
      ))}
    </>
  )
}
type Side = Result<typeof calls.side>
const People = ({ of }: { of: Side }) => {
  const say = useSay()
  return (
    <Section title={say(['成员（{n}）', 'People ({n})'], { n: of.people.length })}>
      {of.people.length === 0 ? (
        <p className="m-muted">{say(['成员都在下级部门', 'Everyone is in a sub-department'])}</p>
      ) : (
        <SmallTable
          head={[
            ['姓名', 'Name'],
            ['状态', 'State'],
            ['接待', 'Receives'],
            ['客户', 'Customers'],
          ]}
          rows={of.people}
          keyOf={one => one.id}
          cells={one => [
            <span key="name" title={one.position}>
              {one.name}
            </span>,
            <Words key="state" of={staffStates[one.status]} />,
            one.receives ? (
              say(['可接待', 'Yes'])
            ) : (
              <span key="why" className="m-muted" title={one.why}>
                {say(['不接待', 'No'])}
              </span>
            ),
            one.customer_count,
          ]}
        />
      )}
    </Section>
  )
}
const Beside = ({ of }: { of: Side }) => {
  const say = useSay()
  if (of.beside.length === 0) return null
  return (
    <Section title={say(['同商场的其他部门', 'Other departments of its malls'])}>
      <SmallTable
        head={[
          ['部门', 'Department'],
          ['商场', 'Mall'],
          ['优先级', 'Priority'],
        ]}
        rows={of.beside}
        keyOf={one => `${one.id}:${one.mall}`}
        cells={one => [one.name, one.mall, one.priority]}
      />
    </Section>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const side = useRead(calls.side, { id: row.id })
  const none = say(['未设置', 'None'])
  return (
    <Inspector
      title={row.name}
      aside={row.is_deleted && <Badge>{say(['企微已删除', 'Removed in WeCom'])}</Badge>}
    >
      <Section title={say(['部门', 'Department'])}>
        <Facts>
          <Fact label={say(['企微编号', 'WeCom ID'])}>{String(row.dept_id)}</Fact>
          <Fact label={say(['同步于', 'Synced'])}>
            <When at={row.synced_at} />
          </Fact>
          <Fact label={say(['负责人', 'Lead'])}>{row.lead_name || none}</Fact>
          <Fact label={say(['企微负责人', 'WeCom leader'])}>
            {row.leaders.join(say(comma)) || none}
          </Fact>
          <Fact label={say(['接待范围', 'Reception'])}>
            <Words of={receiveKinds[row.receive]} />
          </Fact>
          <Fact label={say(['可接待成员', 'Can receive'])}>{row.receiver_count}</Fact>
          {row.receive_names.length > 0 && (
            <Fact wide label={say(['指定成员', 'Selected people'])}>
              {row.receive_names.join(say(comma))}
            </Fact>
          )}
          <Fact wide label={say(['关联商场', 'Malls'])}>
            {row.malls
              .map(mall =>
                say(['{name}（优先级 {n}）', '{name} ({n})'], {
                  name: mall.name,
                  n: mall.priority,
                }),
              )
              .join(say(comma)) || say(['沿用上级部门', 'Same as parent'])}
          </Fact>
          {row.deleted_at !== null && (
            <Fact label={say(['删除于', 'Removed'])}>
              <When at={row.deleted_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Answer of={side}>
        {of => (
          <>
            <People of={of} />
            <Beside of={of} />
            <Section title={say(['变更历史', 'History'])}>
              <Changes rows={of.changes} />
            </Section>
          </>
        )}
      </Answer>
    </Inspector>
  )
}
const Differences = ({ close }: { close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const read = useRead(calls.viewDiff, { page: 1, pageSize: 200 })
  return (
    <Drawer
      isOpen
      onClose={close}
      size="560px"
      title={say(['最近一次同步的差异', 'What the last sync changed'])}
    >
      <Section title={say(['差异', 'Differences'])}>
        <Answer of={read}>{({ list }) => <Changes rows={list} named />}</Answer>
      </Section>
    </Drawer>
  )
}

/** What is tried again is taken up by the clock, so the page says that and no more. */
const useRetried = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.retryEvents, ({ n }) => {
    toast(
      say(['{n} 个事件将在一分钟内重新处理', '{n} events will be retried within a minute'], { n }),
      'success',
    )
    return true
  })
}

/** WeCom's departments: which mall each serves, who leads and who may receive customers. */
export default function DepartmentsPage() {
  const say = useSay()
  const now = useLang()
  const [open, setOpen] = useState(false)
  useAction(actions.viewDiff, () => setOpen(true))
  useSyncTold(actions.sync)
  useRetried()
  const state = useRead(calls.state, {})
  const counts = state.data?.counts
  return (
    <>
      <TreePage
        name="wecom-departments"
        label={titleIn(page, now)}
        read={useRead(calls.lst, {})}
        actions={Object.values(actions)}
        wordsOf={row => row.name}
        draw={row => <Line of={row} />}
        figures={figures}
        levels={3}
        sum={rows =>
          say(['{n} 个部门', '{n} departments'], { n: rows.filter(row => !row.is_deleted).length })
        }
        top={
          <Answer of={state} lines={1}>
            {of => (
              <SyncState of={of}>
                {counts &&
                  Object.entries(counts).map(([kind, n]) => (
                    <span key={kind}>
                      <Words of={changeKinds[kind as keyof typeof changeKinds]} /> {n}
                    </span>
                  ))}
                {of.dead > 0 && (
                  <Badge tone="bad">
                    {say(['{n} 个企微事件未处理成功', 'Failed WeCom events: {n}'], { n: of.dead })}
                  </Badge>
                )}
              </SyncState>
            )}
          </Answer>
        }
        none={say(['选择一个部门', 'Choose a department'])}
      >
        {row => <Detail key={row.id} row={row} />}
      </TreePage>
      {open && <Differences close={() => setOpen(false)} />}
    </>
  )
}
