import { openAiCompatibleFormat } from '@wrongstack/providers';

export const myWireFormat = openAiCompatibleFormat;
