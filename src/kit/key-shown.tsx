import { Button } from '@blueprintjs/core'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { Window } from './window.tsx'
import { useWorkbench } from './workbench.ts'

export type NewKey = { app_key: string; secret_key: string | null }
/** A new key of the partner API: its secret is shown this once. */
export const KeyShown = ({ of, close }: { of: NewKey; close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const copy = () =>
    navigator.clipboard.writeText(of.secret_key ?? '').then(
      () => toast(say(['密钥已复制', 'The secret is copied']), 'success'),
      () => toast(say(['无法访问剪贴板', 'No access to the clipboard']), 'warning'),
    )
  return (
    <Window
      title={say(['新的接口密钥', 'New API key'])}
      close={close}
      width={560}
      actions={
        <Button data-autofocus intent="primary" onClick={() => void copy()}>
          {say(['复制密钥', 'Copy the secret'])}
          <Keys keys="↵" />
        </Button>
      }
    >
      <p>
        {say(['密钥编号', 'Key'])} <code>{of.app_key}</code>
      </p>
      <p className="m-revealed m-num" tabIndex={0}>
        {of.secret_key ?? say(['已显示过，请重新重置', 'Shown before: reset it again'])}
      </p>
      <p className="m-muted">
        {say([
          '密钥只显示这一次，系统只加密保存。请通过安全方式交给合作方；旧密钥 24 小时后失效。',
          'The secret is shown this once. Pass it on in a safe way; the key before ends in 24 hours.',
        ])}
      </p>
    </Window>
  )
}
