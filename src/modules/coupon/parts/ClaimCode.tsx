import { Dialog, DialogBody } from '@blueprintjs/core'
import { getMpImg } from '#src/contract/link.ts'
import { useRead } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import './coupon.css'

/** The code by which members claim a coupon, to be saved as a picture. */
export const ClaimCode = ({
  of,
  close,
}: {
  of: { id: number; name: string }
  close: () => void
}) => {
  useReturnFocus()
  const say = useSay()
  const code = useRead(getMpImg, { path: 'pages/coupon/detail', scene: `id=${of.id}`, width: 430 })
  const title = say(['领券二维码', 'Claim QR code'])
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 380 }}>
      <DialogBody>
        <div className="cp-code">
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
        </div>
      </DialogBody>
      <DialogEnd shows close={close}>
        {code.data && (
          <a
            className="bp6-button bp6-intent-primary"
            href={code.data.image}
            download={`${of.name}.png`}
            data-autofocus
            autoFocus
          >
            {say(['保存图片', 'Save the picture'])}
          </a>
        )}
      </DialogEnd>
    </Dialog>
  )
}
