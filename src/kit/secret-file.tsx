import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useId } from 'react'
import { bytesOf } from './base64.ts'
import { saveAs } from './download.ts'
import { useFocusedFirst, useReturnFocus } from './focus.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

export type SecretZip = {
  rows: number
  left: number
  name: string
  secret_file: string | null
  secret_password: string | null
}
/** An encrypted file and its password: the two are passed on by different ways, and shown once. */
export const SecretFile = ({ of, close }: { of: SecretZip; close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const title = useId()
  const first = useFocusedFirst()
  useReturnFocus()
  const save = () => {
    const { secret_file: file } = of
    if (file) saveAs(of.name, new Blob([bytesOf(file)], { type: 'application/zip' }))
  }
  const copy = () =>
    navigator.clipboard.writeText(of.secret_password ?? '').then(
      () => toast(say(['密码已复制', 'The password is copied']), 'success'),
      () => toast(say(['无法访问剪贴板', 'No access to the clipboard']), 'warning'),
    )
  const words = say(['加密文件与密码', 'Encrypted file and its password'])
  return (
    <Dialog
      isOpen
      title={<span id={title}>{words}</span>}
      aria-labelledby={title}
      onClose={close}
      style={{ width: 520 }}
    >
      <DialogBody>
        <p>
          {say(
            [
              '含 {n} 个码；另有 {left} 个未导出。',
              '{n} codes are in it; {left} are not exported yet.',
            ],
            {
              n: of.rows.toLocaleString(),
              left: of.left.toLocaleString(),
            },
          )}
        </p>
        <p className="m-revealed m-num">
          {of.secret_password ?? say(['已显示过，请重新导出', 'Shown before: export again'])}
        </p>
        <p className="m-muted">
          {say([
            '密码只显示这一次，系统不保存。请用与文件不同的渠道告知接收方；此次导出已记入操作日志。',
            'The password is shown this once and kept nowhere. Pass it on by another way than the file; the export was logged.',
          ])}
        </p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={() => void copy()}>{say(['复制密码', 'Copy the password'])}</Button>
            <Button ref={first} intent="primary" icon={<Download />} onClick={save}>
              {say(['保存 ZIP 文件', 'Save the ZIP'])}
              <Keys keys="↵" />
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
