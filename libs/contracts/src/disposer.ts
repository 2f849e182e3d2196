/** Undoes one registration. Calling it twice does nothing the second time. */
export type Disposer = () => void;
