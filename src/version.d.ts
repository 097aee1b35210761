/** Put in by the build from package.json. */
declare const HIVEMIND_VERSION: string;
