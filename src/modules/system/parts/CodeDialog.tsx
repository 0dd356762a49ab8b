import { Dialog, DialogBody } from '@blueprintjs/core'
import { getMpImg, getQrImg } from '#src/contract/link.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'

/**
 * The mini-program code of a page, or the QR of a web address, to be saved as a picture; a stand-in
 * says that it is one.
 */
export const CodeDialog = ({
  title,
  path,
  close,
}: {
  title: string
  path: string
  close: () => void
}) => {
  const say = useSay()
  useReturnFocus()
  const web = /^https?:/.test(path)
  const code = useRead(getMpImg, web ? skipToken : { path })
  const qr = useRead(getQrImg, web ? { text: path, size: 640 } : skipToken)
  const { data, error, refetch } = web ? qr : code
  const heading = web ? say(['二维码', 'QR']) : say(['小程序码', 'Mini-program code'])
  return (
    <Dialog isOpen title={heading} aria-label={heading} onClose={close} style={{ width: 380 }}>
      <DialogBody>
        <div className="c-code">
          <b>{title}</b>
          <Answer of={{ data, error, refetch }} lines={5}>
            {({ image, real, caption }) => (
              <>
                <img src={image} alt={`${title} ${heading}`} />
                {!real && (
                  <Badge tone="warn">
                    {say(['占位图，未配置微信', 'A stand-in: WeChat is not set up'])}
                  </Badge>
                )}
                <p className="m-muted">{caption}</p>
              </>
            )}
          </Answer>
        </div>
      </DialogBody>
      <DialogEnd shows close={close}>
        {data && (
          <a
            className="bp6-button bp6-intent-primary"
            href={data.image}
            download={`${title}.${data.image.startsWith('data:image/jpeg') ? 'jpg' : 'png'}`}
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
