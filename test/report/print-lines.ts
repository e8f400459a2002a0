// Prints as many lines as its argument says, each with an escape sequence in it, through the only writer of standard output.
import { writeOut } from '../../src/report/index.js';

for (let index = 0; index < Number(process.argv[2]); index++) writeOut(`line \u001b[31m${index}\u0007`);
