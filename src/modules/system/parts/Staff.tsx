import { Button } from '@blueprintjs/core'
import { importRows } from '#src/areas/people/people.ts'
import type { Result } from '#src/contract/call.ts'
import { useWrite } from '#src/kit/data.ts'
import { LinesImport } from '#src/kit/lines-import.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { staff as calls } from '../contract/staff.ts'

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

type Imported = Result<typeof calls.batchImport>
const example =
  '账号,姓名,手机号,邮箱,部门,角色\nzhangsan,张三,13800000001,zhangsan@example.com,财务部,财务\nlisi,李四,13800000002,lisi@example.com,客户服务部,客服、只读'
/** Staff from pasted or uploaded lines. */
export const Import = ({
  close,
  opened,
}: {
  close: () => void
  opened: (passwords: Imported['passwords']) => void
}) => {
  const say = useSay()
  const [send, { isLoading }] = useWrite(calls.batchImport)
  return (
    <LinesImport<Imported>
      title={say(['批量导入员工', 'Import staff'])}
      hint={say([
        '每行：账号、姓名、手机号、邮箱、部门、角色（多个用顿号）。逗号或制表符分隔，可直接从表格粘贴。',
        'A line: account, name, phone, e-mail, department, roles (several with 、). Commas or tabs; paste from a sheet.',
      ])}
      example={example}
      count={text => importRows(text).length}
      head={[
        ['账号', 'Account'],
        ['姓名', 'Name'],
      ]}
      cells={row => [<code key="account">{row.account}</code>, row.name]}
      send={input => send(input, { quiet: true })}
      sending={isLoading}
      done={result => {
        opened(result.passwords)
        close()
      }}
      close={close}
    />
  )
}
