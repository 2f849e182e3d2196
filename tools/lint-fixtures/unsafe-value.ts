export const name: string = JSON.parse('{}').name;
