import { Dialog, DialogBody } from '@blueprintjs/core'
import { getMpImg } from '#src/contract/link.ts'
import { timeFull } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { cardPreview } from '../contract/preview.ts'
import './ecard.css'

/** The code that opens the preview in the mini-program, for staff and half an hour. */
export const PreviewCode = ({ id, close }: { id: number; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const key = useRead(cardPreview.key, { id })
  const asked = key.data && { path: 'pages/ecard/preview', scene: key.data.scene, width: 430 }
  const code = useRead(getMpImg, asked ?? skipToken)
  const title = say(['预览小程序码', 'Preview code'])
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 380 }}>
      <DialogBody>
        <Answer of={key} lines={5}>
          {of => (
            <div className="ec-code">
              <b>{of.name}</b>
              <Answer of={code} lines={5}>
                {data => (
                  <>
                    <img src={data.image} alt={`${of.name} ${title}`} />
                    {!data.real && (
                      <Badge tone="warn">
                        {say(['占位图，未配置微信', 'Placeholder: WeChat is not set up'])}
                      </Badge>
                    )}
                  </>
                )}
              </Answer>
              <span className="m-muted">
                {say(['仅限员工，{at} 前有效', 'Staff only, valid until {at}'], {
                  at: timeFull(of.until).slice(11, 16),
                })}
              </span>
            </div>
          )}
        </Answer>
      </DialogBody>
      <DialogEnd shows close={close}>
        {null}
      </DialogEnd>
    </Dialog>
  )
}
