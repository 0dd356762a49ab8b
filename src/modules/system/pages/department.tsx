import { Checkbox } from '@blueprintjs/core'
import { useMemo } from 'react'
import { department as page } from '#commands/pages/system.ts'
import { departmentActions as actions } from '#commands/system/people.ts'
import { staffStates } from '#src/areas/people/people.ts'
import { useRead, useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Answer, Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { Tree } from '#src/kit/tree.tsx'
import { useSubject } from '#src/kit/workbench.ts'
import { department as calls, type DepartmentRow } from '../contract/department.ts'
import '../parts/people.css'

const Members = ({ of }: { of: DepartmentRow }) => {
  const say = useSay()
  const [below, setBelow] = usePaneState('below', true)
  const members = useRead(calls.members, { department_id: of.id, below, pageSize: 200 })
  return (
    <Section
      title={say(['成员 {n}', 'Members {n}'], { n: members.data?.total ?? '' })}
      aside={
        <Checkbox
          inline
          style={{ margin: 0 }}
          checked={below}
          onChange={event => setBelow(event.currentTarget.checked)}
          label={say(['含下级部门', 'Include sub-departments'])}
        />
      }
    >
      <Answer of={members} lines={4}>
        {({ list }) =>
          list.length === 0 ? (
            <Empty title={say(['没有成员', 'No members'])}>
              <p>
                {say([
                  '在“员工账号”里把人分到这个部门。',
                  'Assign people to it in Staff accounts.',
                ])}
              </p>
            </Empty>
          ) : (
            <table className="p-table">
              <thead>
                <tr>
                  <th>{say(['姓名', 'Name'])}</th>
                  <th>{say(['账号', 'Account'])}</th>
                  <th>{say(['部门', 'Department'])}</th>
                  <th>{say(['角色', 'Roles'])}</th>
                  <th>{say(['状态', 'State'])}</th>
                </tr>
              </thead>
              <tbody>
                {list.map(one => (
                  <tr key={one.id}>
                    <td>
                      {one.name}{' '}
                      {one.leads && <Badge tone="info">{say(['负责人', 'Leader'])}</Badge>}
                    </td>
                    <td>
                      <code>{one.account}</code>
                    </td>
                    <td>{one.department_name}</td>
                    <td>{one.roles}</td>
                    <td>
                      <Badge tone={one.status === 'active' ? 'good' : 'plain'}>
                        {say(staffStates[one.status])}
                      </Badge>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Section>
  )
}

export default function Departments() {
  const say = useSay()
  const now = useLang()
  const read = useRead(calls.lst, {})
  const [move] = useWrite(calls.move)
  const [focused, setFocused] = usePaneState<number | undefined>('focus', undefined)
  const rows = read.data?.list
  const nodes = useMemo(
    () => (rows ?? []).map(row => ({ ...row, key: row.id, parent: row.parent_id })),
    [rows],
  )
  const row = nodes.find(one => one.id === focused)
  const subject = useMemo(() => ({ rows: row ? [row] : [] }), [row])
  useSubject(subject)
  const heads = (rows ?? [])
    .filter(one => one.parent_id === null)
    .reduce((sum, one) => sum + one.staff_all, 0)
  if (!rows) return <Unanswered of={read} lines={12} />
  return (
    <div className="p-page">
      <Toolbar actions={Object.values(actions)} rows={subject.rows}>
        <span className="p-count">
          {say(['{n} 个部门 · {m} 名在职', 'Departments {n} · active staff {m}'], {
            n: rows.length,
            m: heads,
          })}
        </span>
      </Toolbar>
      <Split label={say(['部门树与成员的分隔', 'Between tree and members'])} start={40}>
        <Tree
          name="departments"
          label={titleIn(page, now)}
          nodes={nodes}
          wordsOf={one => `${one.name} ${one.leader_name ?? ''}`}
          focused={focused}
          onFocus={key => setFocused(key as number)}
          levels={4}
          onPlace={(one, parent, at) =>
            void move({
              id: one.id,
              version: one.version,
              ...(parent === null ? {} : { parent_id: parent }),
              sort: at,
            }).catch(() => {})
          }
          draw={one => (
            <>
              <span className="m-name">{one.name}</span>
              {one.status === 'off' && <Badge tone="warn">{say(['已停用', 'Disabled'])}</Badge>}
              <span className="m-fill" />
              {one.leader_name && <span className="m-muted">{one.leader_name}</span>}
              <span
                className="p-count"
                title={say(['本级 {a}，含下级 {b}', 'Direct {a}, with sub-departments {b}'], {
                  a: one.staff,
                  b: one.staff_all,
                })}
              >
                {one.staff_all}
              </span>
            </>
          )}
        />
        {row === undefined ? (
          <Empty title={say(['选择一个部门', 'Choose a department'])} />
        ) : (
          <div className="p-side">
            <div className="p-head">
              <h2>
                {row.name}
                <Badge tone={row.status === 'on' ? 'good' : 'warn'}>
                  {row.status === 'on' ? say(['启用', 'In use']) : say(['已停用', 'Disabled'])}
                </Badge>
              </h2>
              <p>{row.full_name}</p>
            </div>
            <div className="p-body">
              <Section title={say(['概况', 'Overview'])}>
                <Facts>
                  <Fact label={say(['负责人', 'Leader'])}>
                    {row.leader_name ?? <span className="m-muted">{say(['未设置', 'None'])}</span>}
                  </Fact>
                  <Fact label={say(['电话', 'Phone'])}>{row.phone || '—'}</Fact>
                  <Fact label={say(['本级在职', 'Direct staff'])}>{row.staff}</Fact>
                  <Fact label={say(['含下级', 'All staff'])}>{row.staff_all}</Fact>
                  <Fact label={say(['下级部门', 'Sub-departments'])}>{row.children}</Fact>
                  <Fact label={say(['层级', 'Level'])}>{row.depth} / 5</Fact>
                </Facts>
              </Section>
              <Members of={row} />
            </div>
          </div>
        )}
      </Split>
    </div>
  )
}
