import { KeyShown } from '#src/kit/key-shown.tsx'
import type { Specimen } from '../specimen.ts'

const app_key = 'ec0f3a9b2c4d5e6f70819283'
export const specimen: Specimen = {
  part: 'key-shown',
  title: ['接口密钥', 'A key of the partner API'],
  states: [
    {
      name: ['密钥只显示一次', 'The secret, shown once'],
      layer: true,
      draw: close => (
        <KeyShown
          of={{ app_key, secret_key: 'Zm9yIHRoZSBnYWxsZXJ5IG9ubHksIG5vIHNlY3JldA' }}
          close={close}
        />
      ),
    },
    {
      name: ['已显示过', 'Shown before'],
      layer: true,
      draw: close => <KeyShown of={{ app_key, secret_key: null }} close={close} />,
    },
  ],
}
