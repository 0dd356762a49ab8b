import { Button, Dialog, DialogBody, FormGroup, InputGroup } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import { changePassword } from '#commands/shell.ts'
import type { Text } from '#src/domain/text.ts'
import { passwordPattern, passwordRule } from '#src/domain/validate.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { useDesk } from '../desk.ts'
import { toast } from '../toasts.tsx'

const names = ['old', 'fresh', 'again'] as const
type Name = (typeof names)[number]
type Typed = Readonly<Record<Name, string>>
type Faults = Partial<Record<Name, string>>
const labels: Readonly<Record<Name, Text>> = {
  old: ['原密码', 'Present password'],
  fresh: ['新密码', 'New password'],
  again: ['再输一次新密码', 'New password once more'],
}
const nothing: Typed = { old: '', fresh: '', again: '' }
/** What is wrong with what was typed, before the server is asked. */
const faultsOf = ({ old, fresh, again }: Typed, account: string) => {
  const found: Partial<Record<Name, Text>> = {}
  if (!passwordPattern.test(old))
    found.old = old ? passwordRule : ['请输入原密码', 'Enter the present password']
  if (fresh === '') found.fresh = ['请输入新密码', 'Enter a new password']
  else if (!passwordPattern.test(fresh)) found.fresh = passwordRule
  else if (fresh === old)
    found.fresh = ['新密码不能与原密码相同', 'Choose a password other than the present one']
  else if (fresh.toLowerCase() === account.toLowerCase())
    found.fresh = ['不能与账号相同', 'Must differ from the account']
  if (again !== fresh) found.again = ['两次输入不一致', 'The two differ']
  return found
}

type AskedProps = {
  name: Name
  value: string
  fault: string | undefined
  hint: string
  change: (value: string) => void
}
const Asked = ({ name, value, fault, hint, change }: AskedProps) => {
  const say = useSay()
  const id = useId()
  return (
    <FormGroup
      label={say(labels[name])}
      labelFor={id}
      intent={fault ? 'danger' : 'none'}
      helperText={
        <span id={`${id}-note`} role={fault ? 'alert' : undefined}>
          {fault ?? hint}
        </span>
      }
    >
      <InputGroup
        id={id}
        name={name}
        type="password"
        autoComplete={name === 'old' ? 'current-password' : 'new-password'}
        autoFocus={name === 'old'}
        value={value}
        intent={fault ? 'danger' : 'none'}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
        onChange={event => change(event.target.value)}
      />
    </FormGroup>
  )
}

/** What was typed, what is wrong with it, and the change itself. */
const usePasswords = (done: () => void) => {
  const say = useSay()
  const { account } = useDesk().me
  const [typed, setTyped] = useState(nothing)
  const [faults, setFaults] = useState<Faults>({})
  const [send, { isLoading: busy }] = useWrite(calls.changePassword)
  const form = useRef<HTMLFormElement>(null)
  const refuse = (wrong: Faults) => {
    setFaults(wrong)
    const first = names.find(name => wrong[name] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    return first !== undefined
  }
  const change = async () => {
    if (busy) return
    const found = faultsOf(typed, account)
    const wrong = names.flatMap(name => (found[name] ? [[name, say(found[name])]] : []))
    if (refuse(Object.fromEntries(wrong))) return
    try {
      await send({ old_password: typed.old, new_password: typed.fresh })
      toast(
        say([
          '密码已修改，其他设备已退出登录',
          'Your password is changed; you are signed out everywhere else',
        ]),
        'success',
      )
      done()
    } catch (fault) {
      const { data, message } = fault as CallError
      const { old_password: old, new_password: fresh } = data?.fields ?? {}
      // A refusal without a field is about the tries left, and so about the password given.
      refuse(fresh ? { fresh } : { old: old ?? message })
    }
  }
  const type = (name: Name, value: string) => setTyped(before => ({ ...before, [name]: value }))
  return { form, account, typed, faults, busy, change, type }
}

/**
 * Another password for the person who is here. What is typed is kept nowhere: a password is no
 * draft.
 */
export const PasswordDialog = ({ close }: { close: () => void }) => {
  const say = useSay()
  const title = titleIn(changePassword, useLang())
  const { form, account, typed, faults, busy, change, type } = usePasswords(close)
  useReturnFocus()
  return (
    <Dialog
      isOpen
      title={title}
      onClose={close}
      canOutsideClickClose={false}
      style={{ width: 440 }}
    >
      <DialogBody>
        <form
          ref={form}
          noValidate
          onSubmit={event => {
            event.preventDefault()
            void change()
          }}
        >
          <input name="username" autoComplete="username" value={account} readOnly hidden />
          {names.map(name => (
            <Asked
              key={name}
              name={name}
              value={typed[name]}
              fault={faults[name]}
              hint={name === 'fresh' ? say(passwordRule) : ''}
              change={value => type(name, value)}
            />
          ))}
          <p className="m-muted">
            {say([
              '修改后，你在其他浏览器和设备上的登录会全部退出。',
              'You are then signed out in every other browser and device.',
            ])}
          </p>
          <button type="submit" hidden />
        </form>
      </DialogBody>
      <DialogEnd close={close}>
        <Button intent="primary" loading={busy} onClick={() => void change()}>
          {title}
          <Keys keys="↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}
