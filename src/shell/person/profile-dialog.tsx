import { Dialog, DialogBody } from '@blueprintjs/core'
import { profile } from '#commands/shell.ts'
import type { Result } from '#src/contract/call.ts'
import { comma, semicolon } from '#src/domain/text.ts'
import { useRead } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { Fact, Facts, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { person as calls } from '#src/modules/session/contract.ts'

/** Says who the person is here: their roles, what they see of the data, their last sign-in. */
export const ProfileDialog = ({ close }: { close: () => void }) => {
  const say = useSay()
  const now = useLang()
  const read = useRead(calls.profile, {})
  useReturnFocus()
  const list = (names: readonly string[]) =>
    names.length > 0 ? names.join(say(comma)) : say(['无', 'None'])
  const scope = ({ cities, malls, own }: Result<typeof calls.profile>) => {
    if (cities === null || malls === null) return say(['全部数据', 'All data'])
    const parts = [
      cities.length > 0 && say(['城市：{names}', 'Cities: {names}'], { names: list(cities) }),
      malls.length > 0 && say(['商场：{names}', 'Malls: {names}'], { names: list(malls) }),
      own && say(['本人或本部门负责的数据', 'What I or my department look after']),
    ].filter(Boolean)
    return parts.length > 0 ? parts.join(say(semicolon)) : list([])
  }
  return (
    <Dialog isOpen title={titleIn(profile, now)} onClose={close} style={{ width: 560 }}>
      <DialogBody>
        <Answer of={read}>
          {of => (
            <Facts>
              <Fact label={say(['姓名', 'Name'])}>{of.name}</Fact>
              <Fact label={say(['账号', 'Account'])}>{of.account}</Fact>
              {of.phone && <Fact label={say(['手机号', 'Phone'])}>{of.phone}</Fact>}
              <Fact label={say(['部门', 'Department'])}>{of.department ?? '—'}</Fact>
              <Fact label={say(['角色', 'Roles'])} wide>
                {list(of.roles)}
              </Fact>
              <Fact label={say(['数据范围', 'Data scope'])} wide>
                {scope(of)}
              </Fact>
              <Fact label={say(['脱敏字段', 'Masked fields'])} wide>
                {list(of.masked)}
              </Fact>
              <Fact label={say(['隐藏字段', 'Hidden fields'])} wide>
                {list(of.hidden)}
              </Fact>
              <Fact label={say(['最近登录', 'Last sign-in'])} wide>
                <When at={of.last_login_at} />
                {of.last_login_ip && ` · ${of.last_login_ip}`}
              </Fact>
            </Facts>
          )}
        </Answer>
        <p className="m-muted">
          {say([
            '资料、角色和数据范围由管理员在「员工账号」维护，如需调整请联系管理员。',
            'Administrators keep these under Staff accounts; ask one to change them.',
          ])}
        </p>
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
