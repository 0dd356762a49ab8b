import { Button, FileInput, TextArea } from '@blueprintjs/core'
import { useState } from 'react'
import { importRows } from '#src/areas/people/people.ts'
import type { Result } from '#src/contract/call.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { Badge, Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { staff as calls } from '../contract/staff.ts'
import { Window } from './Rights.tsx'

/** Passwords made up just now: this window is the only place that ever shows them. */
export const Passwords = ({
  of,
  close,
}: {
  of: readonly { account: string; initial_password: string | null }[]
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const copy = () =>
    void navigator.clipboard
      .writeText(of.map(one => `${one.account}\t${one.initial_password ?? ''}`).join('\n'))
      .then(
        () => toast(say(['已复制', 'Copied']), 'success'),
        () => toast(say(['复制失败，请手动选择', 'Could not copy: select it by hand']), 'warning'),
      )
  return (
    <Window
      title={say(['初始密码', 'Initial password'])}
      close={close}
      width={480}
      actions={
        <Button intent="primary" data-autofocus onClick={copy}>
          {say(['复制', 'Copy'])}
        </Button>
      }
    >
      <p className="p-note" data-tone="warn">
        {say([
          '只显示这一次。首次登录后必须修改。',
          'Shown this once. It must be changed at the first sign-in.',
        ])}
      </p>
      {of.map(one => (
        <p key={one.account} style={{ margin: '0 0 8px' }}>
          <code className="p-code">{one.account}</code>
          <br />
          <span className="p-password">
            {one.initial_password ?? say(['已显示过，请重置密码', 'Told before: reset it'])}
          </span>
        </p>
      ))}
    </Window>
  )
}

type Checked = Result<typeof calls.batchImport>
const example =
  '账号,姓名,手机号,邮箱,部门,角色\nzhangsan,张三,13800000001,zhangsan@example.com,财务部,财务\nlisi,李四,13800000002,lisi@example.com,客户服务部,客服、只读'
/**
 * Staff from pasted or uploaded lines: checked first, each line with what is wrong with it; then
 * none or only the good ones are written.
 */
export const Import = ({
  close,
  opened,
}: {
  close: () => void
  opened: (passwords: Checked['passwords']) => void
}) => {
  const say = useSay()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked | undefined>(undefined)
  const [error, setError] = useState('')
  const [name, setName] = useState('')
  const [send, { isLoading }] = useWrite(calls.batchImport)
  const bad = checked?.rows.filter(row => row.faults.length > 0).length ?? 0
  const good = (checked?.rows.length ?? 0) - bad
  const run = (mode: 'check' | 'all' | 'good') => {
    setError('')
    send({ text, mode }, { quiet: true }).then(
      result => {
        if (mode === 'check' || result.written === 0) setChecked(result)
        else {
          opened(result.passwords)
          close()
        }
      },
      (fault: CallError) => setError(fault.data?.fields?.['text'] ?? fault.message),
    )
  }
  return (
    <Window
      title={say(['批量导入员工', 'Import staff'])}
      close={close}
      width={860}
      actions={
        checked && good > 0 ? (
          <Button
            intent="primary"
            loading={isLoading}
            onClick={() => run(bad > 0 ? 'good' : 'all')}
          >
            {bad > 0
              ? say(['只导入正确的 {n} 行', 'Import the {n} good lines'], { n: good })
              : say(['导入 {n} 行', 'Import {n} lines'], { n: good })}
          </Button>
        ) : (
          <Button
            intent="primary"
            loading={isLoading}
            disabled={importRows(text).length === 0}
            onClick={() => run('check')}
          >
            {say(['检查', 'Check'])}
            <Keys keys="Ctrl ↵" />
          </Button>
        )
      }
    >
      <p className="m-muted" style={{ marginTop: 0 }}>
        {say([
          '每行：账号、姓名、手机号、邮箱、部门、角色（多个用顿号）。逗号或制表符分隔，可直接从表格粘贴。',
          'A line: account, name, phone, e-mail, department, roles (several with 、). Commas or tabs; paste from a sheet.',
        ])}
      </p>
      <TextArea
        className="p-import"
        rows={8}
        data-autofocus
        value={text}
        placeholder={example}
        aria-label={say(['要导入的行', 'Lines to import'])}
        onChange={event => {
          setText(event.target.value)
          setChecked(undefined)
        }}
        onKeyDown={event => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
            event.preventDefault()
            run('check')
          }
        }}
      />
      <FileInput
        style={{ marginTop: 8 }}
        size="small"
        text={name || say(['或选择 CSV 文件', 'Or choose a CSV file'])}
        buttonText={say(['浏览', 'Browse'])}
        inputProps={{
          accept: '.csv,.txt,text/csv,text/plain',
          'aria-label': say(['从文件读取', 'Read a file']),
        }}
        onInputChange={event => {
          const [file] = event.currentTarget.files ?? []
          if (file)
            void file.text().then(content => {
              setName(file.name)
              setText(content)
              setChecked(undefined)
            })
        }}
      />
      {error && (
        <p className="m-bad" role="alert">
          {error}
        </p>
      )}
      {checked && (
        <>
          <p
            className="p-note"
            data-tone={bad > 0 ? 'warn' : undefined}
            role="status"
            style={{ marginTop: 12 }}
          >
            {bad > 0
              ? say(
                  [
                    '{n} 行有误，{g} 行正确。可修改后重新检查，或只导入正确的行。',
                    '{n} lines are wrong, {g} are good. Mend and check again, or import the good ones.',
                  ],
                  { n: bad, g: good },
                )
              : say(['{n} 行全部正确。', 'All {n} lines are good.'], { n: good })}
          </p>
          <div
            style={{ maxHeight: 260, overflow: 'auto' }}
            tabIndex={0}
            aria-label={say(['检查结果', 'Result'])}
          >
            <table className="p-table">
              <thead>
                <tr>
                  <th>{say(['行', 'Line'])}</th>
                  <th>{say(['账号', 'Account'])}</th>
                  <th>{say(['姓名', 'Name'])}</th>
                  <th>{say(['结果', 'Result'])}</th>
                </tr>
              </thead>
              <tbody>
                {checked.rows.map(row => (
                  <tr key={row.line}>
                    <td>{row.line}</td>
                    <td style={{ whiteSpace: 'nowrap' }}>
                      <code>{row.account}</code>
                    </td>
                    <td style={{ whiteSpace: 'nowrap' }}>{row.name}</td>
                    <td>
                      {row.faults.length === 0 ? (
                        <Badge tone="good">{say(['正确', 'Good'])}</Badge>
                      ) : (
                        <span className="m-bad">{row.faults.join('；')}</span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Window>
  )
}
