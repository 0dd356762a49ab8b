import {
  banScopes,
  registerSources,
  sanctionKinds,
  sanctionStates,
} from '#src/areas/member/member.ts'
import { afterClosing, dataParts } from '#src/areas/personalData/personalData.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Figure, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { accountsPage as calls, type AccountRow } from '../contract/list.ts'
import { StateOf } from './accountLooks.tsx'

type Props = { row: AccountRow }
const Account = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['账号', 'Account'])}>
      <Facts>
        <Fact label={say(['会员号', 'Number'])}>{row.uid}</Fact>
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone ?? '—'}</span>
        </Fact>
        <Fact label={say(['微信', 'WeChat'])}>
          {row.bound ? say(['已绑定', 'Bound']) : say(['未绑定', 'Not bound'])}
        </Fact>
        <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        <Fact label={say(['注册', 'Joined'])}>
          <When at={row.register_at} />
        </Fact>
        <Fact label={say(['来源', 'Source'])}>{say(registerSources[row.register_source])}</Fact>
        <Fact label={say(['最近访问', 'Last visit'])}>
          <When at={row.last_visit_at} />
        </Fact>
        <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
        <Fact label={say(['下单设备', 'Order device'])}>{row.device_id || '—'}</Fact>
        <Fact label={say(['同设备账号', 'Accounts on this device'])}>
          {row.shared > 0 ? <Badge tone="warn">{row.shared}</Badge> : 0}
        </Fact>
        {row.closing_at !== null && (
          <Fact wide label={say(['自动注销', 'Closes automatically'])}>
            <When at={row.closing_at} />
          </Fact>
        )}
        {row.merged_name && (
          <Fact wide label={say(['并入', 'Merged into'])}>
            {row.merged_name}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** All sanctions of the account: what, until when, why, and who lifted it. */
const Sanctions = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.view, { id })
  return (
    <Section title={say(['处罚记录', 'Sanctions'])}>
      <Answer of={read}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['没有处罚记录', 'No sanctions'])}</p>
          ) : (
            <SmallTable
              head={[
                ['处罚', 'Sanction'],
                ['截止', 'Until'],
                ['原因', 'Reason'],
                ['状态', 'State'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                [
                  say(sanctionKinds[one.kind]),
                  one.scope.map(part => say(banScopes[part])).join('/'),
                ]
                  .filter(Boolean)
                  .join(' · '),
                one.end_at === null ? (
                  say(['永久', 'Permanent'])
                ) : (
                  <When key="until" at={one.end_at} />
                ),
                [one.reason, one.by].filter(Boolean).join(' · '),
                [say(sanctionStates[one.status]), one.lifted_by, one.lift_reason]
                  .filter(Boolean)
                  .join(' · '),
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
/** What is held of the person, and by which law the rest stays once the account is closed. */
const DataHeld = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.dataHeld, { id })
  return (
    <Section title={say(['持有的个人信息', 'Personal data held'])}>
      <Answer of={read}>
        {({ list }) => (
          <SmallTable
            head={[
              ['类别', 'Category'],
              ['条数', 'Records'],
              ['注销后与依据', 'After closure, and legal basis'],
            ]}
            rows={list.filter(one => one.n > 0)}
            keyOf={one => one.part}
            cells={one => [
              say(dataParts[one.part].title),
              <Figure key="n" of={one.n} />,
              <div key="after">
                {say(afterClosing[one.after])}
                <p className="m-muted">{say(dataParts[one.part].law)}</p>
              </div>,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
/** An account beside the list: who it is, and what was done about it. */
export const AccountDetail = ({ row }: Props) => (
  <Inspector title={row.nickname} aside={<StateOf row={row} />}>
    <Account row={row} />
    <Sanctions id={row.id} />
    <DataHeld id={row.id} />
  </Inspector>
)
